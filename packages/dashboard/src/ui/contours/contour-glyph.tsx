import { useMemo } from 'react';
import { drawContours } from './contour-map.ts';

/** A small island of contour lines. Its seed determines its form, so each game has its own island. */
export function ContourGlyph({ seed, size }: { seed: string; size: number }) {
  const paths = useMemo(
    () =>
      drawContours(seed, {
        size: 32,
        cells: 24,
        hills: 4,
        levels: size > 40 ? 5 : 3,
        hillWidth: 0.12,
        spread: 0.2,
      }),
    [seed, size],
  );
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke="var(--accent)"
      strokeLinecap="round"
      aria-hidden
      style={{ flex: 'none' }}
    >
      {paths.map((path, index) => (
        <path
          key={path.slice(0, 40) + String(index)}
          d={path}
          strokeWidth={size > 40 ? 0.7 : 1.5}
          opacity={0.45 + (0.55 * (index + 1)) / paths.length}
        />
      ))}
    </svg>
  );
}

/** A map that fills the background of a page. */
export function ContourBackground({ seed }: { seed: string }) {
  const paths = useMemo(
    () =>
      drawContours(seed, {
        size: 100,
        cells: 80,
        hills: 22,
        levels: 9,
        hillWidth: 0.085,
        spread: 0.45,
      }),
    [seed],
  );
  return (
    <svg
      viewBox="0 0 100 100"
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      stroke="var(--contour)"
      strokeLinecap="round"
      aria-hidden
      style={{ position: 'absolute', inset: 0, width: '100%', height: '100%' }}
    >
      {paths.map((path, index) => (
        <path
          key={path.slice(0, 40) + String(index)}
          d={path}
          strokeWidth={index % 4 === 3 ? 0.22 : 0.11}
        />
      ))}
    </svg>
  );
}
