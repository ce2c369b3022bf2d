import { startBuiltService, type BuiltProcess, type ServiceName } from '@platform/testing';

export { runBuiltService as runService, type ServiceName } from '@platform/testing';

/** A built service in a process of its own. */
export interface ServiceProcess extends BuiltProcess {
  readonly name: ServiceName;
  /** Where it serves HTTP; of authz-grpc its REST surface. */
  readonly url: string;
  readonly probeUrl: string;
  /** authz-grpc only: `host:port` of its gRPC. */
  readonly grpcAddress: string;
}

const HOST = '127.0.0.1';

/**
 * Starts `serve`, on free ports unless told, and waits until it is ready; `onLine` is given each line of its
 * log, `built` the folder of services of another build. Errors: what it wrote last, when it ends early.
 */
export async function startService(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  onLine: (entry: Record<string, unknown>) => void = () => undefined,
  built?: URL,
): Promise<ServiceProcess> {
  const service = await startBuiltService(name, env, onLine, built);
  const { port, http_port: httpPort, grpc_port: grpcPort, probe_port: probePort } = service.ports;
  return {
    ...service,
    name,
    url: `http://${HOST}:${httpPort ?? port}`,
    probeUrl: `http://${HOST}:${probePort}`,
    grpcAddress: `${HOST}:${grpcPort}`,
  };
}
