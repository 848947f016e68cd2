class_name OverworldTracker
extends RefCounted
## Internal. The events and the session of a client.

@warning_ignore_start("return_value_discarded")

## Events were tracked and will not be stored.
signal dropped(reason: String, count: int, events: Array, message: String, violations: Array)

const MAX_EVENT_BYTES: int = 50000

## Number of events that were tracked and will not be stored.
var dropped_events: int = 0
var sender: OverworldEventSender
var _transport: OverworldTransport
var _player: OverworldPlayer
var _queue: OverworldEventQueue
var _session: OverworldSession
var _max_queued_events: int


func _init(
		storage: OverworldStorage,
		transport: OverworldTransport,
		logins: OverworldLogins,
		player: OverworldPlayer,
		interval_ms: int,
		max_queued_events: int,
) -> void:
	_transport = transport
	_player = player
	_max_queued_events = max_queued_events
	_queue = OverworldEventQueue.new(storage)
	sender = OverworldEventSender.new(_queue, transport, logins, interval_ms)
	sender.dropped.connect(_on_dropped)
	_session = OverworldSession.new(storage)
	_session.tracked.connect(_append)


## Reads the events and times that an earlier start has left on the device.
func open() -> void:
	_queue.open()
	_session.open()


## Continues or begins the session.
func start() -> void:
	sender.start()
	_session.touch(OverworldMoment.now())


## Stops sending, and forgets the session.
func stop() -> void:
	sender.stop()
	_session.forget()


## Number of events that wait or are being sent.
func get_count() -> int:
	return _queue.count


## Removes all events of an erased player, and forgets the session.
func forget(player_id: String) -> void:
	_session.forget()
	_queue.forget(player_id)


func track(event_name: String, properties: Dictionary) -> void:
	var now: int = OverworldMoment.now()
	_session.touch(now)
	_append(event_name, _session.id, now, properties)


func end_session() -> void:
	_session.end(OverworldMoment.now())


func drop(reason: String, events: Array, message: String = "", violations: Array = []) -> void:
	var count: int = maxi(1, events.size())
	dropped_events += count
	dropped.emit(reason, count, events, message, violations)


func _append(event_name: String, session_id: String, at: int, properties: Dictionary) -> void:
	var event: Dictionary = {"event_name": event_name, "session_id": session_id, "player_id": _player.get_id()}
	if not properties.is_empty():
		event["properties"] = properties
	event["client_timestamp"] = OverworldMoment.write(at + _transport.clock.get_offset())
	var json: String = OverworldJson.write(event)
	if json == "":
		drop("unsendable", [])
		return
	if json.to_utf8_buffer().size() > MAX_EVENT_BYTES:
		drop("unsendable", [event])
		return
	_queue.add(json, _player.get_id(), _transport.clock.is_known)
	while _queue.count > _max_queued_events:
		var oldest: String = _queue.drop_oldest()
		if oldest == "":
			return
		_on_dropped("queue_full", PackedStringArray([oldest]), "", [])


func _on_dropped(reason: String, events: PackedStringArray, message: String, violations: Array) -> void:
	var told: Array = []
	for json: String in events:
		told.append(OverworldJson.read_object(json))
	drop(reason, told, message, violations)
