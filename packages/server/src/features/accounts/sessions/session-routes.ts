import * as contract from '@overworld/contract/accounts/sessions';
import type { Api } from '../../../platform/http/api.ts';
import { implement } from '../../../platform/http/implement.ts';
import { forgetDevice, listDevices, readDeviceToken } from './devices.ts';
import { endOtherSessions, endSession, listSessions, logOut } from './sessions.ts';

export function mountSessions(api: Api): void {
  const { database } = api;

  implement(api, contract.listSessions, async ({ caller }) => ({
    sessions: await listSessions(database, caller),
  }));

  implement(api, contract.endSession, ({ caller, params, actor }) =>
    endSession(database, caller, params.session_id, actor),
  );

  implement(api, contract.endOtherSessions, ({ caller, actor }) =>
    endOtherSessions(database, caller, actor),
  );

  implement(api, contract.listDevices, async ({ caller, client }) => ({
    devices: await listDevices(database, caller.account_id, readDeviceToken(client.cookies)),
  }));

  implement(api, contract.forgetDevice, ({ caller, params, actor }) =>
    forgetDevice(database, caller, params.device_id, actor),
  );

  implement(api, contract.logOut, ({ caller }) => logOut(database, caller));
}
