import { createSpotlight } from '@mantine/spotlight';

/** Whether the palette is open. It is known before the palette is loaded. */
export const [paletteStore, palette] = createSpotlight();
