/** The colors of the page in light, for what is painted: an image or a print has no dark form. */
export const LIGHT_COLORS = {
  ink: '#1d2129',
  soft: '#4d5563',
  line: '#dedad1',
  for: '#1f5f9f',
  against: '#b3500c',
  open: '#7a5a00',
  uncertainty: '#dcd9d1',
} as const;
