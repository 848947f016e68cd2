import { createSpotlight } from '@mantine/spotlight';

/** The state of the palette: open or closed. The state is needed before the palette is loaded. */
export const [paletteStore, palette] = createSpotlight();
