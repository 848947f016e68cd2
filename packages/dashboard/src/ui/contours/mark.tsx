const OUTER =
  'M15.2 3.1c4.6-.7 9.3 1.3 11.8 5.2 2.5 3.9 2.9 9.1.7 13.1-2.3 4.3-7 7.6-12 7.5-4.7-.1-9.4-2.9-11.6-7.2-2-3.9-1.3-9.2 1.3-12.9 2.2-3.1 6-5.1 9.8-5.7Z';
const INNER =
  'M17.3 9.7c2.8.3 5.1 2.5 5.5 5.2.5 3.2-1.2 6.6-4.2 7.8-2.9 1.1-6.8.2-8.5-2.5-1.6-2.6-.9-6.1 1.1-8.3 1.5-1.6 3.9-2.4 6.1-2.2Z';

/** The logo: the contour lines of a hill, which also form an O. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke="var(--accent)"
      strokeLinejoin="round"
      aria-hidden
    >
      <path strokeWidth="3.2" d={OUTER} />
      <path strokeWidth="2.2" d={INNER} />
    </svg>
  );
}
