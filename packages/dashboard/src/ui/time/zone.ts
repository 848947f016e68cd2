import { createContext, use } from 'react';
import { ownZone } from './own-zone.ts';

/**
 * The zone in which days and clock times are shown: the game's on its pages, so that "yesterday" is
 * the day that the reports call yesterday, and everywhere else the reader's own.
 */
export const ZoneContext = createContext(ownZone);

export const useZone = (): string => use(ZoneContext);
