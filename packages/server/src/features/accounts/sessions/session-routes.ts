import * as contract from '@overworld/contract/accounts/sessions';
import type { Api } from '../../../platform/http/api.ts';
import { implement, Reply } from '../../../platform/http/implement.ts';
import { forgetDevice, listDevices, readDeviceToken } from './devices.ts';
import { endOtherSessions, endSession, listSessions, logOut } from './sessions.ts';

export function mountSessions(api: Api): void {
  const { database } = api;

  implement(api, contract.listSessions, async ({ caller }) => ({
    sessions: await listSessions(database, caller),
  }));

  implement(api, contract.endSession, async ({ caller, params, actor }) => {
    await endSession(database, caller, params.session_id, actor);
    return new Reply(204);
  });

  implement(api, contract.endOtherSessions, async ({ caller, actor }) => {
    await endOtherSessions(database, caller, actor);
    return new Reply(204);
  });

  implement(api, contract.listDevices, async ({ caller, client }) => ({
    devices: await listDevices(database, caller.account_id, readDeviceToken(client.cookies)),
  }));

  implement(api, contract.forgetDevice, async ({ caller, params, actor }) => {
    await forgetDevice(database, caller, params.device_id, actor);
    return new Reply(204);
  });

  implement(api, contract.logOut, async ({ caller }) => {
    await logOut(database, caller);
    return new Reply(204);
  });
}
