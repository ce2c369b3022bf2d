import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

// Only schemas made after this call can be named in the OpenAPI document, so those that are published take `z` from here.
extendZodWithOpenApi(z);

export { z };
