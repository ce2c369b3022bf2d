import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

// Only schemas made after this call can carry OpenAPI metadata, so schemas that are published import `z` from
// here.
extendZodWithOpenApi(z);

export { z };
