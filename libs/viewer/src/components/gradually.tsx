import type { VNode } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { readFragment } from '../format/fragments.ts';
import { FoldContext } from './fold.tsx';

interface Props<Item> {
  readonly items: readonly Item[];
  /** Items drawn in one go, few enough that a slow browser answers in between. */
  readonly size: number;
  readonly children: (item: Item, index: number) => VNode;
}

/**
 * A long list. In the desk, where no server has drawn it, it is drawn and drawn anew a few items at a time,
 * so that the browser answers to its user in between; all at once where the address names something in it.
 */
export function Gradually<Item>(props: Props<Item>) {
  const drawing = useContext(FoldContext);
  const [isGradual] = useState(() => drawing === 'opened' && mayWait());
  return isGradual ? <Batch {...props} from={0} /> : <>{props.items.map(props.children)}</>;
}

/** Whether a browser draws it whose address names nothing in a pane. */
function mayWait(): boolean {
  if (!('location' in globalThis)) return false;
  const kind = readFragment(location.hash.slice(1))?.kind;
  return kind !== 'verdict' && kind !== 'part';
}

/** The items from an index on. */
function Batch<Item>({ items, size, children, from }: Props<Item> & { readonly from: number }) {
  const until = from + size;
  // Kept as it is until its turn comes, so that it is not drawn together with these items.
  const [further, setFurther] = useState<VNode | null>(null);
  useEffect(() => {
    const timer = setTimeout(() =>
      setFurther(
        until < items.length ? (
          <Batch items={items} size={size} from={until}>
            {children}
          </Batch>
        ) : null,
      ),
    );
    return () => clearTimeout(timer);
  }, [items, children]);
  const own = useMemo(
    () => items.slice(from, until).map((item, index) => children(item, from + index)),
    [items, children],
  );
  return (
    <>
      {own}
      {further}
    </>
  );
}
