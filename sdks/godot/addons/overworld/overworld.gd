extends Node
## The Overworld client, an autoload. Call [method start] once; then all other calls work anywhere.

## Events were tracked and will not be stored. [param events] are dictionaries; [param reason] is
## [code]queue_full[/code], [code]rejected[/code], [code]quota_exceeded[/code],
## [code]outcome_unknown[/code] (sent, never answered, and too old to be sent again),
## [code]unsendable[/code] (no JSON, or more than 50 kB) or [code]closed[/code]. If the server refused
## them, [param message] is its error, and [param violations] are the errors of each event, by its
## index in [param events].
signal events_dropped(reason: String, count: int, events: Array, message: String, violations: Array)
## Stored events break their schema.
signal events_warned(warnings: Array)
## Events could not be sent; they are tried again.
signal send_failed(error: OverworldError)

const Account := preload("res://addons/overworld/api/account.gd")
const Achievements := preload("res://addons/overworld/api/achievements.gd")
const Config := preload("res://addons/overworld/api/config.gd")
const EventQueue := preload("res://addons/overworld/core/event_queue.gd")
const EventSender := preload("res://addons/overworld/core/event_sender.gd")
const KeptCalls := preload("res://addons/overworld/core/kept_calls.gd")
const Leaderboards := preload("res://addons/overworld/api/leaderboards.gd")
const Logins := preload("res://addons/overworld/core/logins.gd")
const Moment := preload("res://addons/overworld/core/moment.gd")
const Player := preload("res://addons/overworld/core/player.gd")
const Saves := preload("res://addons/overworld/api/saves.gd")
const ServerAddress := preload("res://addons/overworld/core/server_address.gd")
const Session := preload("res://addons/overworld/core/session.gd")
const Storage := preload("res://addons/overworld/core/storage.gd")
const Tags := preload("res://addons/overworld/api/tags.gd")
const Transport := preload("res://addons/overworld/core/transport.gd")
const Turns := preload("res://addons/overworld/core/turns.gd")

const MAX_EVENT_BYTES := 50000

var tags: Tags
var saves: Saves
var achievements: Achievements
var leaderboards: Leaderboards
var config: Config
var account: Account
## Number of events that were tracked here and will not be stored.
var dropped_events := 0

var _transport: Transport
var _player: Player
var _kept: KeptCalls
var _queue: EventQueue
var _sender: EventSender
var _session: Session
# Orders the calls that change the player.
var _turns := Turns.new()
var _max_queued_events := 5000
var _is_closed := false


## Begins a session. [param options] may have [code]player_id[/code] (without it an anonymous player
## is made and kept on this device), [code]first_api_key[/code] (the key of the game's first release, if
## that release kept its data by key and the key has changed since), [code]device_login[/code] (true),
## [code]on_save_conflict[/code] (see [method Saves.save]),
## [code]flush_interval_seconds[/code] (5), [code]max_queued_events[/code] (5000),
## [code]timeout_seconds[/code] (10) and [code]folder[/code] ([code]user://[/code]).
func start(base_url: String, api_key: String, options := {}) -> void:
	assert(_transport == null, "Overworld.start is called once")
	process_mode = Node.PROCESS_MODE_ALWAYS
	var first_api_key: String = options.get("first_api_key", api_key)
	var storage := Storage.new(_choose_folder(options.get("folder", "user://"), api_key, first_api_key))
	var interval_seconds: float = options.get("flush_interval_seconds", 5.0)
	_max_queued_events = options.get("max_queued_events", 5000)
	_transport = Transport.new(self, ServerAddress.new(base_url), api_key, options.get("timeout_seconds", 10.0))
	var logins := Logins.new(_transport, storage, options.get("device_login", true))
	logins.failed.connect(_on_failed)
	_transport.logins = logins
	_player = Player.new(options.get("player_id", ""), logins)
	_kept = KeptCalls.new(storage)
	_kept.failed.connect(_on_failed)
	_queue = EventQueue.new(storage)
	_sender = EventSender.new(_queue, _transport, int(interval_seconds * 1000.0))
	_sender.dropped.connect(_on_dropped)
	_sender.warned.connect(_on_warned)
	_sender.failed.connect(_on_failed)
	tags = Tags.new(_transport, _player, _turns)
	saves = Saves.new(_transport, _player, _kept, options.get("on_save_conflict"))
	achievements = Achievements.new(_transport, _player, _kept)
	leaderboards = Leaderboards.new(_transport, _player, _kept)
	config = Config.new(_transport, _player, storage)
	account = Account.new(_transport, _player, logins)
	_session = Session.new(storage)
	_session.tracked.connect(_append)
	_session.touch(Moment.now())


## Id of the player.
func get_player_id() -> String:
	return _player.get_id()


## Sets the player from now on, for example after a login. Earlier events keep their player. The id
## is not stored for the next start.
func set_player_id(player_id: String) -> void:
	_player.given = player_id


## Number of events that wait or are being sent.
func get_queued_events() -> int:
	return _queue.count


## Number of scores, unlocks and saves that wait for the network.
func get_queued_calls() -> int:
	return _kept.get_count()


## Tracks an event of the player. Returns at once: the event is kept, even over a restart, and sent
## together with others. [param properties] may be any JSON of up to 32 KB.
func track(event_name: String, properties := {}) -> void:
	if _is_closed:
		_report("closed", 1, [])
		return
	var now := Moment.now()
	_session.touch(now)
	_append(event_name, _session.id, now, properties)


## Merges properties into those of the player: each property replaces the stored one as a whole. The
## value is all properties of the player.
func identify(properties: Dictionary) -> OverworldResult:
	var json := OverworldJson.write(properties)
	if json == "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", "properties have no form in JSON"))
	var player_id: String = await _player.settle()
	var body := "{\"player_id\":%s,\"properties\":%s}" % [OverworldJson.write(player_id), json]
	await _turns.take()
	var result := await _transport.request(HTTPClient.METHOD_POST, "/v1/identify", body, {}, true, player_id)
	_turns.end()
	return OverworldResult.success(result.value["body"].get("properties", {})) if result.ok else result


## Sends all waiting calls and events. Returns whether all were sent; the others are tried again later.
func flush() -> bool:
	var are_calls_sent: bool = _kept.get_count() == 0 or await _kept.flush()
	var are_events_sent: bool = await _sender.flush()
	return are_events_sent and are_calls_sent


## Ends the session, sends events for at most [param timeout_seconds], and stops. Unsent events stay
## on the device for the next start.
func close(timeout_seconds := 5.0) -> void:
	if _is_closed or _session == null:
		return
	_session.end(Moment.now())
	_is_closed = true
	var deadline := Moment.now() + int(timeout_seconds * 1000.0)
	_sender.flush()
	while _queue.count > 0 and _sender.is_sending() and Moment.now() < deadline:
		await get_tree().process_frame
	_sender.stop()


func _process(_delta: float) -> void:
	if _sender != null:
		_sender.tick()
	if _kept != null and not _is_closed:
		_kept.tick()


func _notification(what: int) -> void:
	if _sender == null:
		return
	# A phone may end a game in the background without notice.
	if what == NOTIFICATION_APPLICATION_PAUSED:
		_sender.flush()
	elif what == NOTIFICATION_WM_CLOSE_REQUEST:
		# The game may cancel the quit, so the session goes on.
		_sender.flush()
	elif what == NOTIFICATION_PREDELETE and not _is_closed:
		_session.end(Moment.now())


## The folder of the game, one for development keys and one for production keys. It takes over the
## folder of earlier releases, which belonged to an API key.
static func _choose_folder(root: String, api_key: String, first_api_key: String) -> String:
	var environment := "development" if api_key.begins_with("ow_dev_") else "production"
	var folder := root.path_join("overworld-" + environment)
	var earlier := root.path_join("overworld-" + first_api_key.sha256_text().left(16))
	if not DirAccess.dir_exists_absolute(folder) and DirAccess.dir_exists_absolute(earlier):
		DirAccess.rename_absolute(earlier, folder)
	return folder


func _append(event_name: String, session_id: String, at: int, properties: Dictionary) -> void:
	var event := {"event_name": event_name, "session_id": session_id, "player_id": _player.get_id()}
	if not properties.is_empty():
		event["properties"] = properties
	event["client_timestamp"] = Moment.write(at + _transport.clock.get_offset())
	var json := OverworldJson.write(event)
	if json == "":
		_report("unsendable", 1, [])
		return
	if json.to_utf8_buffer().size() > MAX_EVENT_BYTES:
		_report("unsendable", 1, [event])
		return
	_queue.add(json, _player.get_id(), _transport.clock.is_known)
	while _queue.count > _max_queued_events:
		var oldest := _queue.drop_oldest()
		if oldest == "":
			return
		_on_dropped("queue_full", PackedStringArray([oldest]), "", [])


func _on_dropped(reason: String, events: PackedStringArray, message: String, violations: Array) -> void:
	var told := []
	for json in events:
		told.append(OverworldJson.read_object(json))
	_report(reason, events.size(), told, message, violations)


func _on_warned(warnings: Array) -> void:
	events_warned.emit(warnings)


func _on_failed(error: OverworldError) -> void:
	send_failed.emit(error)


func _report(reason: String, count: int, events: Array, message := "", violations := []) -> void:
	dropped_events += count
	events_dropped.emit(reason, count, events, message, violations)
