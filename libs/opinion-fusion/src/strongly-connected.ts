/** Strongly connected components, numbered; R. Tarjan 1972, with its own stack, so that depth costs no call stack. */
export function stronglyConnected<T>(nodes: readonly T[], next: (node: T) => readonly T[]): Map<T, number> {
  const order = new Map<T, number>();
  const low = new Map<T, number>();
  const component = new Map<T, number>();
  const open: T[] = [];
  for (const root of nodes) {
    if (order.has(root)) continue;
    const path: { node: T; at: number }[] = [{ node: root, at: 0 }];
    while (path.length > 0) {
      const frame = path[path.length - 1]!;
      const { node } = frame;
      if (frame.at === 0) {
        order.set(node, order.size);
        low.set(node, order.get(node)!);
        open.push(node);
      }
      const target = next(node)[frame.at];
      frame.at += 1;
      if (target !== undefined) {
        if (!order.has(target)) path.push({ node: target, at: 0 });
        else if (!component.has(target)) low.set(node, Math.min(low.get(node)!, order.get(target)!));
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent) low.set(parent.node, Math.min(low.get(parent.node)!, low.get(node)!));
      if (low.get(node) === order.get(node)) {
        const id = component.size;
        for (let member = open.pop()!; ; member = open.pop()!) {
          component.set(member, id);
          if (member === node) break;
        }
      }
    }
  }
  return component;
}
