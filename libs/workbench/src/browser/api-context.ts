import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '../api/api.ts';

export const ApiContext = createContext<Api | null>(null);

/** The API as the signed-in user calls it. */
export function useApi(): Api {
  return useContext(ApiContext)!;
}
