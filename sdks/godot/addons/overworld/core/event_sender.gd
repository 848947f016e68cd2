class_name OverworldEventSender
extends RefCounted
## Internal. Sends the batches of the queue in order, and drops events that the server refuses.

@warning_ignore_start("return_value_discarded")

signal sent(is_all: bool)
## Events will not be stored. They are JSON.
signal dropped(reason: String, events: PackedStringArray, message: String, violations: Array)
signal warned(warnings: Array)
signal failed(error: OverworldError)

const PATH: String = "/v1/track"
const LONGEST_BACKOFF_SECONDS: float = 60.0
## The server knows a key for 7 days. After that it would store a repeat once more. One day is left for
## wrong clocks.
const KEY_LIFETIME_MS: int = 6 * 24 * 60 * 60 * 1000

## Gives the id of the present player.
var find_player: Callable
var _queue: OverworldEventQueue
var _transport: OverworldTransport
var _logins: OverworldLogins
var _interval_ms: int
var _is_sending: bool = false
var _is_stopped: bool = false
var _waiting_since: int = 0
# Failures since the last success.
var _failures: int = 0
var _retry_at: int = 0
var _backoff_ms: int = 0
# Smaller than a batch if a proxy has a smaller limit.
var _max_batch_events: int = OverworldEventBatch.MAX_EVENTS


func _init(
		queue: OverworldEventQueue,
		transport: OverworldTransport,
		logins: OverworldLogins,
		interval_ms: int,
) -> void:
	_queue = queue
	_transport = transport
	_logins = logins
	_interval_ms = interval_ms


## Sends when it is time: a batch is full, events have waited long enough, or a failure is to be tried
## again.
func tick() -> void:
	if _is_stopped or _queue.count == 0:
		_waiting_since = 0
		return
	var now: int = OverworldMoment.now()
	if _waiting_since == 0 or _waiting_since > now:
		_waiting_since = now
	if _is_sending:
		return
	# The clock may have been set back.
	_retry_at = mini(_retry_at, now + _backoff_ms)
	var is_time: bool = _queue.has_full_batch(_is_absent) or now - _waiting_since >= _interval_ms
	# Both times are rounded down.
	if _failures > 0:
		is_time = now > _retry_at
	if is_time:
		@warning_ignore("missing_await")
		_send_all()


## Sends all waiting events now. Returns whether all were sent; the others are tried again later.
func flush() -> bool:
	# The current run may end before it sees the newest event.
	if _is_sending:
		var was_sent: bool = await sent
		if not was_sent and _failures > 0:
			return false
	return await _send_all()


func is_sending() -> bool:
	return _is_sending


## Sends again after a stop.
func start() -> void:
	_is_stopped = false


## Stops sending; unsent events stay in the storage.
func stop() -> void:
	_is_stopped = true


func _send_all() -> bool:
	if _is_sending:
		return await sent
	_is_sending = true
	_waiting_since = 0
	while _queue.find_first(_is_absent) != null and not _is_stopped:
		var error: OverworldError = await _send_first()
		if error != null:
			_failures += 1
			var seconds: float = OverworldBackoff.seconds_after(_failures, error.retry_after_seconds, LONGEST_BACKOFF_SECONDS)
			_backoff_ms = int(seconds * 1000.0)
			_retry_at = OverworldMoment.now() + _backoff_ms
			failed.emit(error)
			break
		_failures = 0
	var is_all: bool = _queue.count == 0
	_is_sending = false
	sent.emit(is_all)
	return is_all


## Sends the first batch and acts on the answer. Null when it need not be sent again; otherwise the
## error because of which it stays.
func _send_first() -> OverworldError:
	# A batch fixes the times of its events, so the server's time must be known before. The config is the
	# cheapest call that tells it.
	if not _transport.clock.is_known:
		var asked: OverworldResult = await _transport.send(HTTPClient.METHOD_GET, "/v1/config", "config")
		if not asked.ok:
			return asked.error
	var server_now: int = OverworldMoment.now() + _transport.clock.get_offset()
	var batch: OverworldEventBatch = _queue.find_first(_is_absent)
	if batch == null:
		return null
	batch.is_sealed = true
	var is_first: bool = batch.first_sent_at == 0
	_queue.mark_sent(batch, server_now, _transport.clock.get_offset(), _max_batch_events)
	if absi(server_now - batch.first_sent_at) > KEY_LIFETIME_MS:
		_finish(batch, 0, "outcome_unknown")
		return null
	var headers: Dictionary = {"Idempotency-Key": batch.key}
	var body_text: String = batch.get_body()
	var player_id: String = batch.get_player_id()
	var result: OverworldResult = await _transport.send(HTTPClient.METHOD_POST, PATH, "received", body_text, headers, player_id)
	if not result.ok:
		# The server has surely not stored these events, however long they wait for a login.
		if is_first and result.error.code == "unauthorized":
			_queue.replace(batch, batch.events)
		return _take_failure(batch, result.error)
	var body: Dictionary = result.value["body"]
	var received: int = body["received"]
	_finish(batch, received, "quota_exceeded")
	var warnings: Array = body.get("warnings", [])
	if not warnings.is_empty():
		warned.emit(warnings)
	_max_batch_events = mini(OverworldEventBatch.MAX_EVENTS, _max_batch_events + 5)
	return null


func _take_failure(batch: OverworldEventBatch, error: OverworldError) -> OverworldError:
	if error.code == "quota_exceeded":
		_finish(batch, 0, "quota_exceeded", error.message)
	elif error.code == "bad_request" and error.body.has("error"):
		_take_refused(batch, error)
	elif error.code == "too_large":
		_take_too_large(batch, error)
	elif error.code == "forbidden":
		_finish(batch, 0, "rejected", error.message)
	elif error.lacks_login() and batch.get_player_id() != find_player.call():
		_logins.absent[batch.get_player_id()] = true
		failed.emit(error)
	else:
		return error
	return null


func _is_absent(player_id: String) -> bool:
	return _logins.absent.has(player_id) and player_id != find_player.call()


## Removes the sent events from the queue, and reports those from this index on as dropped.
func _finish(batch: OverworldEventBatch, from: int, reason: String, message: String = "") -> void:
	var sent_events: PackedStringArray = batch.get_sent()
	_queue.replace(batch, batch.get_unsent())
	if from < sent_events.size():
		dropped.emit(reason, sent_events.slice(from), message, [])


## Halves the size of requests, until a single event is too large.
func _take_too_large(batch: OverworldEventBatch, error: OverworldError) -> void:
	var sent_count: int = batch.get_sent().size()
	if sent_count == 1:
		_finish(batch, 0, "rejected", error.message)
		return
	_max_batch_events = ceili(sent_count / 2.0)
	_queue.replace(batch, batch.events)


## Drops the events that the violations name, and keeps the others under a new key; drops all if
## none is named.
func _take_refused(batch: OverworldEventBatch, error: OverworldError) -> void:
	var sent_events: PackedStringArray = batch.get_sent()
	var violations: Array = error.body.get("violations", [])
	var rest: PackedStringArray = PackedStringArray()
	var rejected: PackedStringArray = PackedStringArray()
	var told: Array = []
	for i: int in range(sent_events.size()):
		var wrong: Array = _list_of(violations, i, rejected.size())
		told.append_array(wrong)
		if wrong.is_empty():
			rest.append(sent_events[i])
		else:
			rejected.append(sent_events[i])
	if rejected.is_empty():
		_finish(batch, 0, "rejected", error.message)
		return
	rest.append_array(batch.get_unsent())
	_queue.replace(batch, rest)
	dropped.emit("rejected", rejected, error.message, told)


## The violations of one event, with its new place as their index.
static func _list_of(violations: Array, index: int, new_index: int) -> Array:
	var wrong: Array = []
	for violation: Dictionary in violations:
		if violation.get("index", -1) == index:
			var moved: Dictionary = violation.duplicate()
			moved["index"] = new_index
			wrong.append(moved)
	return wrong
