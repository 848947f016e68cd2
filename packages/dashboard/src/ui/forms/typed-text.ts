import { useState } from 'react';

/**
 * Holds the text of a field that does not report each key press. A reported value comes back later, through
 * the URL. If other text has been typed by then, the typed text stays. A value that comes in another way,
 * such as by the back button, replaces the text.
 */
export function useTypedText(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  /** Values that were reported and have not come back yet. */
  const [awaited, setAwaited] = useState<string[]>([]);
  if (value !== seen) {
    const place = awaited.indexOf(value);
    setSeen(value);
    setAwaited(place < 0 ? [] : awaited.slice(place + 1));
    if (place < 0) setText(value);
  }
  const told = awaited.at(-1) ?? value;
  return {
    text,
    setText,
    /** The last value that was reported. */
    told,
    tell(next: string) {
      if (next === told) return;
      setAwaited((texts) => [...texts, next]);
      onChange(next);
    },
  };
}
