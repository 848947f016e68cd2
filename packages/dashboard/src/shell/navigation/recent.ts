import { useNavigate } from 'react-router';
import { RECENT } from '../../api/session.ts';

/** Something that the reader opened with the palette. */
export interface Recent {
  label: string;
  description?: string;
  /** The kind of thing, in a word. */
  kind: string;
  /** The URL path within the app. */
  to: string;
}

const MAX_SHOWN = 5;
/** The number of recent things that are stored, for all games together. */
const MAX_KEPT = 30;

const isRecent = (value: unknown): value is Recent => {
  const { label, kind, to } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof label === 'string' && typeof kind === 'string' && typeof to === 'string';
};

function readAll(): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** @param root The beginning of the URL paths of a game's environment, such as `/games/1/production/`. */
export const listRecent = (root: string): Recent[] =>
  readAll()
    .filter(({ to }) => to.startsWith(root))
    .slice(0, MAX_SHOWN);

/** Opens a thing, and stores it as the most recent one. */
export function useOpen(): (opened: Recent) => void {
  const navigate = useNavigate();
  return (opened) => {
    const others = readAll().filter(({ to }) => to !== opened.to);
    localStorage.setItem(RECENT, JSON.stringify([opened, ...others].slice(0, MAX_KEPT)));
    void navigate(opened.to);
  };
}
