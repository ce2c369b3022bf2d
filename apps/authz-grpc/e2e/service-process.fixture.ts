import { readConfig } from '../src/config.ts';
import { startService } from '../src/service.ts';
import { sourceFiles } from './service.fixture.ts';

/** The service as a process; prints its gRPC port. */
const { grpcPort } = await startService(readConfig(process.env), sourceFiles());
console.log(String(grpcPort));
