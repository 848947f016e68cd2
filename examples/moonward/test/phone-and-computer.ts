import type { BrowserContext, Page } from 'playwright-core';
import { startPlaying } from './playing.ts';
import type { Playing } from './playing.ts';

/** The game on two devices, each with its own player. */
export interface PhoneAndComputer {
  playing: Playing;
  computer: BrowserContext;
  on_phone: Page;
  on_computer: Page;
}

export async function openPhoneAndComputer(): Promise<PhoneAndComputer> {
  const playing = await startPlaying();
  const viewport = { width: 390, height: 844 };
  const phone = await playing.openDevice({ viewport, isMobile: true, hasTouch: true });
  const computer = await playing.openDevice({ viewport: { width: 1440, height: 900 } });
  const on_phone = await playing.openTab(phone);
  const on_computer = await playing.openTab(computer);
  return { playing, computer, on_phone, on_computer };
}

export const nameOf = (page: Page) => page.getByLabel('You are').inputValue();
