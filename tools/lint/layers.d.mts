import type { Linter } from 'eslint';

export interface Layer {
  readonly may: readonly string[];
  readonly packages: readonly string[];
  readonly entry?: true;
  readonly stores?: true;
  readonly browser?: true;
  readonly why: string;
}
export const LAYERS: Readonly<Record<string, Readonly<Record<string, Layer>>>>;
export const PACKAGES: Readonly<Record<'express' | 'grpc' | 'mcp' | 'kit' | 'data' | 'redis', string>>;
export const ENTRY_FILES: readonly string[];
export const IMPLEMENTATIONS: string;
export const OUTSIDE_THE_ENGINE: string;
export function sourceOf(project: string): string;
export function layerRules(ignores: readonly string[]): Linter.Config[];
