/** One deployable as the launcher runs it. */
export interface Service {
  readonly name: string;
  /** The built entry point, from the root of the repository. */
  readonly main: string;
  /** Setting and default of the probe port, where readiness shows. */
  readonly probePort: readonly [setting: string, preset: number];
  readonly port: readonly [setting: string, preset: number];
  readonly host: string;
  /** Settings the launcher provides where the environment does not. */
  readonly settings: (paths: { publicKeys: string }) => Record<string, string>;
}

export const SERVICES: readonly Service[] = [
  {
    name: 'investigation-api',
    main: 'dist/apps/investigation-api/main.js',
    port: ['INVESTIGATION_PORT', 8080],
    probePort: ['INVESTIGATION_PROBE_PORT', 9080],
    host: 'INVESTIGATION_HOST',
    settings: ({ publicKeys }) => ({ INVESTIGATION_JWT_PUBLIC_KEY_FILE: publicKeys }),
  },
];

/** Where a service answers, by its settings. */
export function urlOf(service: Service, which: 'port' | 'probePort'): string {
  const [setting, preset] = service[which];
  return `http://${process.env[service.host] || '127.0.0.1'}:${process.env[setting] || preset}`;
}
