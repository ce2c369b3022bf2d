export {
  completeExtensions,
  groundedExtension,
  preferredExtensions,
  stableExtensions,
} from './extensions.ts';
export type { ArgumentationFramework, AttackGraph } from './framework.ts';
export { preferred } from './preferred.ts';
export { StepBudget } from './step-budget.ts';
export { stronglyConnected } from './strong-components.ts';
