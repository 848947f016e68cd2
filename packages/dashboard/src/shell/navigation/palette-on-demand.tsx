import { useHotkeys } from '@mantine/hooks';
import { useSpotlight } from '@mantine/spotlight';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { ComponentType } from 'react';
import { loadPage } from '../../load-page.ts';
import { notify } from '../../ui/notify.tsx';
import type { TypedEarly } from './command-palette.tsx';
import { palette, paletteStore } from './palette.ts';

/** Loads the palette when it is first opened. Keys that are typed meanwhile go to the palette. */
export function PaletteOnDemand() {
  const { opened } = useSpotlight(paletteStore);
  const [Palette, setPalette] = useState<ComponentType<{ early: TypedEarly }> | null>(null);
  const early = useRef<TypedEarly>({ text: '', isEntered: false });
  useHotkeys([['mod + K', palette.toggle]], []);

  const isLoading = opened && Palette === null;
  // Collects the keys until the palette is rendered. Then the palette gets these keys,
  // and receives all further keys itself.
  useLayoutEffect(() => {
    if (!isLoading) return;
    const take = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Enter') early.current.isEntered = true;
      else if (event.key === 'Escape') palette.close();
      else if (event.key === 'Backspace') early.current.text = early.current.text.slice(0, -1);
      else if (event.key.length === 1) early.current.text += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', take, true);
    loadPage(
      () => import('./command-palette.tsx'),
      () => location.href,
    ).then(
      // Without `memo`, the palette would render several times per typed key, as its store changes so often.
      ({ CommandPalette }) => setPalette(() => memo(CommandPalette)),
      (error: unknown) => {
        palette.close();
        notify.failed(error);
      },
    );
    return () => {
      removeEventListener('keydown', take, true);
      early.current = { text: '', isEntered: false };
    };
  }, [isLoading]);

  return Palette && <Palette early={early.current} />;
}
