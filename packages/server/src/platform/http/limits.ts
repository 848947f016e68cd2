/**
 * The limits of connections, requests, bodies and answers before a feature sees them. The largest body is in
 * the contract (`MAX_BODY_BYTES`), and the numbers of open connections are settings.
 */

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/*
 * Connections
 */

/**
 * At most this many refused connections of a network get an answer at a time, because each of them stays
 * open for up to two seconds.
 */
export const MAX_TOLD_CONNECTIONS = 100;
/**
 * When this many clients of one network are cut off in a window, the network is refused. Browsers and games
 * are never cut off.
 */
export const MAX_CUT_OFF = 20;
export const CUT_OFF_WINDOW_MS = MINUTE_MS;
/** A client has this long to send the headers, or to begin a request on a new connection. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** A client has this long to send a whole request with headers and body. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** The interval between searches for connections that exceed the two times above. */
export const TIMEOUT_CHECK_INTERVAL_MS = 5_000;
/** An idle connection is closed after this time. Most proxies close their idle connections earlier. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** The time to read the reason that a client has if it is refused while it is still sending. */
export const LINGER_MS = 2_000;
/**
 * At a stop, a client that has just got an answer may have sent its next request already. Within this time
 * such a request is still answered, and the answer says that the connection closes.
 */
export const STOP_GRACE_MS = 250;

/*
 * Requests
 */

/**
 * The maximum length of a parameter in a path. It is as long as the longest request line that Node accepts,
 * so a parameter that is too long reaches validation, whose error names the parameter.
 */
export const MAX_PARAM_LENGTH = 16 * 1024;
/**
 * The number of requests at work is limited to what this process and the database can answer in this time.
 */
export const AT_WORK_MS = 200;
/** A thousand clients that each wait for one answer at a time are no flood, however slow the machine is. */
export const LEAST_AT_WORK = 1_100;
export const MOST_AT_WORK = 4_096;
/**
 * Every network may have at least this many requests at work. Thousands of players come from thousands of
 * networks, and their equal parts would be less than one request.
 */
export const LEAST_OF_A_NETWORK = 64;
/**
 * A late refusal is sent after this time, or after up to twice this time, to spread refusals out. Clients that
 * retry without a pause must not take CPU from the clients we serve.
 */
export const REFUSAL_DELAY_MS = 400;

/*
 * Bodies
 */

/** A body whose Content-Length is at most this takes no more memory than its connection. */
export const UNCOUNTED_BODY_BYTES = 16 * 1024;
/**
 * The bytes of bodies that may be under way at a time, in all and for each caller. An address has room for one
 * of the largest bodies, or 80 saves of 100 KB. A key has room for 640 saves, so one game leaves room for
 * others.
 */
export const BODIES = {
  name: 'bodies',
  max_bytes: 128 * MIB,
  max_bytes_by_kind: { 'ip:': 8 * MIB, 'key:': 64 * MIB, 'account:': 8 * MIB },
};
/** A body larger than this takes a millisecond or more to check, and another millisecond to store. */
export const LARGE_BODY_BYTES = 64 * 1024;
/**
 * The bytes of large bodies that one address has sent lately. Each body counts for half a second per megabyte,
 * so an address may send two bodies of 8 MB every four seconds. Parsing and storing a body of 8 MB takes up to
 * 0.2 s of CPU. A save of 100 KB counts for only 50 ms, so saves are limited only by the turns below.
 */
export const LARGE_BODIES = {
  name: 'large bodies',
  max_bytes: Infinity,
  max_bytes_by_kind: { 'ip:': 16 * MIB },
};
export const LARGE_BODY_COUNTED_MS_PER_BYTE = 500 / MIB;
/**
 * Two requests with large bodies proceed at a time: one body can be checked while the database stores the
 * other, and small requests never wait behind more than two large ones. Networks take turns, and so do the
 * keys and accounts of each network.
 */
export const LARGE_BODY_TURNS = {
  name: 'large_bodies',
  slots: 2,
  max_waiting: 1_000,
  deadline_ms: 5_000,
  limits: [
    { max_running: 2, max_waiting: 100 },
    { max_running: 2, max_waiting: 100 },
  ],
  refusal: 'Too many large requests are waiting, try again in a few seconds',
};
/**
 * If the rest of a refused body is at most this long, Node itself reads the rest, within the time limit of
 * a request.
 */
export const SMALL_REST_BYTES = 64 * 1024;
/**
 * The limit of discarded bytes of one network in a window: two bodies of 16 MB. Reading 1 MB takes about 1 ms.
 */
export const MAX_DISCARDED_BYTES = 32 * MIB;
export const DISCARD_WINDOW_MS = 10_000;
/** Past that limit, only a client that has sent this much after its refusal counts as cut off. */
export const CUT_OFF_REST_BYTES = 32 * 1024;

/*
 * Answers
 */

/**
 * The bytes of answers that wait in memory until clients read them. An address has room for forty answers of
 * 400 KB.
 */
export const UNREAD_ANSWERS = {
  name: 'unread answers',
  max_bytes: 128 * MIB,
  max_bytes_by_kind: { 'ip:': 16 * MIB },
};
/** A client that reads nothing of an answer for this time is cut off. */
export const STALLED_READER_MS = 30_000;
