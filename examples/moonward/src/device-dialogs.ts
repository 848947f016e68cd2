import { accountActions } from './account-dialogs.ts';
import type { Backend } from './online/backend.ts';
import {
  showDevicesScreen,
  showEnterCodeScreen,
  showMoveCodeScreen,
} from './screens/devices-screen.ts';

/** Shows how the player is logged in, and opens the dialogs that bring the player to another device. */
export function openDevices(sheet: HTMLElement, backend: Backend, back: () => void): void {
  const name = backend.progress.name.text;
  const reopen = () => openDevices(sheet, backend, back);
  const makeCode = async () => {
    showMoveCodeScreen(sheet, name, 'loading', reopen);
    const code = await backend.createMoveCode();
    if (sheet.dataset.screen === 'move-code') showMoveCodeScreen(sheet, name, code, reopen);
  };
  const enterCode = () =>
    showEnterCodeScreen(sheet, name, { move: (code) => backend.moveHere(code), back: reopen });
  showDevicesScreen(
    sheet,
    { name, login: backend.login, account: backend.account.state },
    {
      ...accountActions(sheet, backend, reopen),
      makeCode: () => void makeCode(),
      enterCode,
      back,
    },
  );
}
