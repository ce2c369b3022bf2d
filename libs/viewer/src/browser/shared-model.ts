import { createModel, type Model } from '../model.ts';
import { DATA_PATH } from '../page/share-data.ts';
import type { ShareSnapshot } from '../snapshot.ts';

let loading: Promise<Model> | undefined;

/**
 * The model of the share on view, loaded when it is first needed: its page can be read without it. Where the
 * share was published anew since the page was loaded, loads the page anew. Rejects when it cannot be loaded;
 * the next call tries again.
 */
export function sharedModel(): Promise<Model> {
  loading ??= load();
  loading.catch(() => (loading = undefined));
  return loading;
}

async function load(): Promise<Model> {
  const response = await fetch(location.pathname + DATA_PATH);
  if (!response.ok) throw new Error(`the data of this page cannot be loaded: ${response.status}`);
  const snapshot = (await response.json()) as ShareSnapshot;
  if (snapshot.share.snapshot_taken_at !== document.documentElement.dataset['taken']) location.reload();
  return createModel(snapshot);
}
