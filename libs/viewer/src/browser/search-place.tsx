import { render } from 'preact';
import { useState } from 'preact/hooks';
import { PartContext } from '../components/part.tsx';
import { Search } from '../components/search.tsx';
import type { Model } from '../model.ts';
import { partOf } from '../page/places.ts';
import { placeOfPane } from './drawn-panes.tsx';
import { sharedModel } from './shared-model.ts';
import { shownPane } from './tabs.ts';

/** Offers the search in the place that the page has for it. */
export function startSearch(): void {
  render(<SearchPlace />, document.getElementById('search')!);
}

/** The search, which loads what it searches when it is first used. */
function SearchPlace() {
  const [model, setModel] = useState<Model | null>(null);
  const load = () => void sharedModel().then(setModel, () => {});
  return (
    <div onFocusCapture={load} onInput={load}>
      <PartContext.Provider value={model && partOf(model, placeOfPane(shownPane()))}>
        <Search getModel={() => model} />
      </PartContext.Provider>
    </div>
  );
}
