import { drawPane } from './drawn-panes.tsx';
import { startDrawer } from './drawer.tsx';
import { startLinks } from './links.ts';
import { startPageActions } from './page-actions.ts';
import { startSearch } from './search-place.tsx';
import { sharedModel } from './shared-model.ts';
import { PANE_SHOWN, shownPane } from './tabs.ts';

document.addEventListener(PANE_SHOWN, () => void drawPane(shownPane()));
void drawPane(shownPane()).then(() => performance.mark('alive'));
startSearch();
startLinks();
startDrawer(sharedModel);
startPageActions();
