import { createContext, use } from 'react';
import { ownZone } from './own-zone.ts';

/**
 * The zone in which days and clock times are shown. On the pages of a game this is the game's zone, so
 * "yesterday" means the same as in reports. Everywhere else it is the reader's own zone.
 */
export const ZoneContext = createContext(ownZone);

export const useZone = (): string => use(ZoneContext);
