import * as contract from '@overworld/contract/messages/sending';
import { notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { requireStats } from '../../platform/players/stat-conditions.ts';
import { listMessageEntries } from './calendar.ts';
import { previewAudience } from './preview.ts';
import { readPreview, readSentMessage } from './send-body.ts';
import { recallMessage, sendAndWait, storedAudience } from './send.ts';
import type { SendServices } from './send.ts';
import { requireShare } from './share.ts';
import { findMessage, readMessagePlayers, readMessages } from './store.ts';
import type { StoredMessage } from './store.ts';

/** Mounts the operations by which members and servers send messages. */
export function mountSending(api: Api, services: SendServices): void {
  api.calendar.add('message', listMessageEntries);
  implement(api, contract.postMessage, async (call) => {
    const { caller, actor, database, change } = call;
    const sent = readSentMessage(call.body);
    await api.guard.ownPlayerIfNamed(call, sent.to.player_id);
    const { game_id, environment, key_id } = caller;
    await requireShare(api.database, database, game_id, key_id);
    const sender = { actor, key_id };
    const tenant = { game_id, environment };
    const { message, is_new } = await sendAndWait(database, services, tenant, sent, sender, change);
    return new Reply<never>(is_new ? 201 : 200, showMessage(message));
  });

  implement(
    api,
    contract.sendMessage,
    async ({ caller, params, query, body, actor, database, change }) => {
      const tenant = { ...params, ...query };
      await requireShare(api.database, database, tenant.game_id, caller.account_id);
      const sender = { actor, key_id: null };
      const { message, is_new } = await sendAndWait(
        database,
        services,
        tenant,
        body,
        sender,
        change,
      );
      return new Reply<never>(is_new ? 201 : 200, showMessage(message));
    },
    readSentMessage,
  );

  implement(
    api,
    contract.previewMessage,
    async ({ params, query, body, read }) => {
      const audience = await storedAudience(services, params.game_id, body);
      return read(async (database) => {
        await requireStats(database, params.game_id, body.properties ?? [], 'to.properties');
        return previewAudience(database, { ...params, ...query }, body, audience);
      });
    },
    readPreview,
  );

  implement(api, contract.listGameMessages, async ({ params, query, read }) => {
    const { environment, ...page } = query;
    const tenant = { ...params, environment };
    const { page: listed, ...rest } = await read((database) =>
      readMessages(database, tenant, page),
    );
    const messages = listed.map(({ read_count, claimed_count, deleted_count, ...message }) => ({
      ...toAnswer(message),
      read_count,
      claimed_count,
      deleted_count,
    }));
    return new JsonText(writeJson({ messages, ...rest }));
  });

  implement(api, contract.takeBackMessage, async ({ caller, params, actor, database }) => {
    const { game_id, environment, key_id } = caller;
    const tenant = { game_id, environment };
    const sender = { actor, key_id };
    return showMessage(
      await recallMessage(database, services.shared, tenant, params.message_id, sender),
    );
  });

  implement(api, contract.recallMessage, async ({ params, query, actor, database }) => {
    const { message_id, game_id } = params;
    const tenant = { game_id, ...query };
    const sender = { actor, key_id: null };
    return showMessage(await recallMessage(database, services.shared, tenant, message_id, sender));
  });

  implement(api, contract.listMessagePlayers, async ({ params, query, read }) => {
    const { message_id, game_id } = params;
    const tenant = { game_id, environment: query.environment };
    return read(async (database) => {
      if ((await findMessage(database, tenant, message_id)) === null) {
        throw notFound('Message not found');
      }
      return readMessagePlayers(database, tenant, message_id, query);
    });
  });
}

const showMessage = (message: StoredMessage) => new JsonText(writeJson(toAnswer(message)));

/** Makes the form in which members see a message. */
function toAnswer({ message_id, player_id, audience, created_by, ...message }: StoredMessage) {
  return {
    id: message_id,
    to: audience === null ? { type: 'player', player_id } : new JsonText(audience),
    title: message.title,
    text: message.text,
    translations: new JsonText(message.translations),
    data: new JsonText(message.data),
    rewards: new JsonText(message.rewards),
    starts_at: message.starts_at,
    ends_at: message.ends_at,
    reason: message.reason,
    sent_at: message.sent_at,
    sent_by: created_by,
    recalled_at: message.recalled_at,
    is_sending: message.is_sending,
    member_count: message.member_count,
    members_at: message.members_at,
  };
}
