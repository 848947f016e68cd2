/** The longest title of a message, in characters. */
export const MAX_MESSAGE_TITLE = 200;
/** The longest text of a message, in characters. */
export const MAX_MESSAGE_TEXT = 4_000;
/** The largest size of the `data` of a message or of an item, in bytes of JSON in UTF-8. */
export const MAX_MESSAGE_DATA_BYTES = 4_096;
/** The largest number of rewards of a message. */
export const MAX_REWARDS = 20;
/** The largest size of all rewards of a message, in bytes of JSON in UTF-8. */
export const MAX_REWARDS_BYTES = 16_384;
/** The largest quantity of an item. */
export const MAX_ITEM_QUANTITY = 1_000_000_000;
/** The longest reason that members write down for a message. */
export const MAX_MESSAGE_REASON = 500;
/** The messages to many players that one environment may have at a time. */
export const MAX_SHARED_MESSAGES = 100;
/** The messages to one player alone that the player may have at a time. */
export const MAX_OWN_MESSAGES = 200;
/** The schedules of messages that one environment may have. */
export const MAX_MESSAGE_SCHEDULES = 20;
/** The greatest number of hours after which a message of a schedule ends. */
export const MAX_SCHEDULED_HOURS = 720;
/** Days after which a message that has ended or was recalled is deleted. */
export const KEPT_MESSAGE_DAYS = 90;
