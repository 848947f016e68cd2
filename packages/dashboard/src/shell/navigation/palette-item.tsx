import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Findable, Group } from './ranked.ts';

export interface PaletteItem extends Findable {
  key: string;
  description?: string;
  icon: ReactNode;
  open: () => void;
}

export interface PaletteGroups {
  groups: Group<PaletteItem>[];
  /** True while some lists are still being loaded. */
  isReading: boolean;
}

export const iconOf = (Shown: Icon): ReactNode => <Shown size={18} />;
