import type { ComponentChildren } from 'preact';
import { STRENGTH_MEANING } from '../../format/words.ts';

/** The legend of the mesh: its lines, heads and boxes. Folded where it would fill the screen. */
export function MeshLegend() {
  return (
    <details class="mesh-key">
      <summary>What lines and boxes mean</summary>
      <ul class="mesh-legend" aria-label="Legend">
        <Entry text="supports">
          <g class="mesh-edge mesh-edge-supports">
            <path d="M1 9H34" />
          </g>
          <path class="mesh-legend-supports" d="M32 4 42 9 32 14Z" />
        </Entry>
        <Entry text="attacks">
          <g class="mesh-edge mesh-edge-attacks">
            <path d="M1 9H40" />
          </g>
          <path class="mesh-legend-attacks" d="M40.5 2V16M34 5 40 9 34 13" />
        </Entry>
        <Entry text="attack ended by a distinction">
          <g class="mesh-edge mesh-edge-suppressed">
            <path d="M1 9H43" />
          </g>
          <path class="mesh-cross" d="M17 4 27 14M27 4 17 14" />
        </Entry>
        <Entry text="infers">
          <g class="mesh-edge mesh-edge-infers">
            <path d="M1 9H33" />
          </g>
          <path class="mesh-legend-infers" d="M33 4 42 9 33 14Z" />
        </Entry>
        <Entry text="accepted">
          <g class="mesh-node is-accepted">
            <rect class="mesh-box" x="2" y="2" width="40" height="14" rx="4" />
          </g>
        </Entry>
        <Entry text="rejected">
          <g class="mesh-node is-rejected">
            <rect class="mesh-box" x="2" y="2" width="40" height="14" rx="4" />
          </g>
        </Entry>
        <Entry text="claims that attack and are attacked alike">
          <g class="mesh-position">
            <rect x="2" y="1" width="40" height="16" rx="6" />
          </g>
        </Entry>
        <Entry text="accepted or rejected only in this reading">
          <g class="mesh-change">
            <circle cx="14" cy="9" r="8" />
            <text x="14" y="13" text-anchor="middle">
              +
            </text>
            <circle cx="34" cy="9" r="8" />
            <text x="34" y="13" text-anchor="middle">
              −
            </text>
          </g>
        </Entry>
      </ul>
      <p>{STRENGTH_MEANING}</p>
    </details>
  );
}

function Entry({ text, children }: { readonly text: string; readonly children: ComponentChildren }) {
  return (
    <li>
      <svg viewBox="0 0 44 18" width="44" height="18" aria-hidden="true">
        {children}
      </svg>
      {text}
    </li>
  );
}
