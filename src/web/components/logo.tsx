/** The logo, a closed eye. It stands beside the name, so screen readers skip it. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="12" fill="var(--accent)" />
      <ClosedEye />
    </svg>
  );
}

/** The closed eye, for an SVG of 24 units. */
export function ClosedEye() {
  return (
    <g fill="none" stroke="var(--on-accent)" stroke-width="1.6" stroke-linecap="round">
      <path d="M5.5 10.5c3 4.6 10 4.6 13 0" />
      <path d="M7.6 13.1 6.3 15m5.7-.9v2.3m4.4-3.3 1.3 1.9" />
    </g>
  );
}
