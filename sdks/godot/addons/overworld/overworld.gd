extends Node
## The Overworld client, an autoload. Call [method start] once; then all other calls work anywhere.

@warning_ignore_start("return_value_discarded")

## The time between two looks for messages.
const LOOK_MS: int = 300 * 1000

## Events were tracked and will not be stored. [param events] are dictionaries; [param reason] is
## [code]queue_full[/code], [code]rejected[/code], [code]quota_exceeded[/code],
## [code]outcome_unknown[/code] (sent, never answered, and too old to be sent again),
## [code]unsendable[/code] (no JSON, or more than 50 kB), [code]not_started[/code] or [code]closed[/code]. If the server refused
## them, [param message] is its error, and [param violations] are the errors of each event, by its
## index in [param events].
signal events_dropped(reason: String, count: int, events: Array, message: String, violations: Array)
## Stored events break their schema.
signal events_warned(warnings: Array)
## Events could not be sent, which are tried again; and once, with [code]store_failed[/code], the storage is
## full or blocked.
signal send_failed(error: OverworldError)
## Another client on the same folder has logged in as another player or has logged out, and this is the
## player of the next start. This client stays its own player. It is told with its next call.
signal other_player_logged_in(player_id: String)
## There are unread messages of the studio that no earlier list had. While this is connected, the client looks for
## messages at the start and every five minutes. They are dictionaries, as [method OverworldMessages.list] has them.
signal messages_received(messages: Array)

var tags: OverworldTags
var saves: OverworldSaves
var achievements: OverworldAchievements
var leaderboards: OverworldLeaderboards
var stats: OverworldStats
var messages: OverworldMessages
var config: OverworldConfig
var account: OverworldAccount

var _frames: OverworldFrames
var _transport: OverworldTransport
var _storage: OverworldStorage
var _logins: OverworldLogins
var _player: OverworldPlayer
var _kept: OverworldKeptCalls
var _tracker: OverworldTracker
# Orders the calls that change the player.
var _turns: OverworldTurns = OverworldTurns.new()
# The time of the last look for messages.
var _looked_at: int = 0
var _is_started: bool = false
# True if the parts have read the texts that earlier starts left on the device.
var _is_open: bool = false
var _is_closed: bool = false


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	# Calls before the start fail with these words, and meet no null.
	_make_parts("", "", {})
	_transport.mistake = "Call Overworld.start first"


## Begins a session. [param options] may have [code]player_id[/code] (without it an anonymous player
## is made and kept on this device), [code]tracking_enabled[/code] (true; see
## [method set_tracking_enabled]), [code]first_api_key[/code] (the key of the game's first release, if
## that release kept its data by key and the key has changed since), [code]device_login[/code] (true),
## [code]on_save_conflict[/code] (see [method OverworldSaves.save]),
## [code]flush_interval_seconds[/code] (5), [code]max_queued_events[/code] (5000),
## [code]timeout_seconds[/code] (10; 120 at least for the export and the erasure of a player) and
## [code]folder[/code] ([code]user://[/code]).
## An address or a key that cannot be right is an error on the console, and all calls fail with
## [code]invalid_argument[/code].
func start(base_url: String, api_key: String, options: Dictionary = {}) -> void:
	if _is_started:
		push_error("Overworld.start is called once")
		return
	_is_started = true
	_make_parts(base_url, api_key, options)
	if _transport.mistake != "":
		push_error("Overworld.start: " + _transport.mistake)
	var is_enabled: bool = options.get("tracking_enabled", true)
	set_tracking_enabled(is_enabled)


## Says whether the player has agreed to be tracked. Without an agreement nothing is read or stored on
## the device and nothing is sent: [method track] does nothing, and calls fail with
## [code]tracking_disabled[/code]. Turning it on begins a session. Turning it off forgets the session
## and sends nothing more; the anonymous player, and events and calls that wait, stay on the device.
func set_tracking_enabled(is_enabled: bool) -> void:
	if not _check_start("set_tracking_enabled") or is_enabled == _transport.is_enabled or _is_closed:
		return
	_transport.is_enabled = is_enabled
	if not is_enabled:
		_tracker.stop()
		return
	if not _is_open:
		_is_open = true
		_storage.open()
		_logins.open()
		_kept.open()
		config.open()
		messages.open()
		_tracker.open()
	_tracker.start()


func is_tracking_enabled() -> bool:
	return _transport.is_enabled


## Id of the player; empty while an anonymous player has not agreed to be tracked.
func get_player_id() -> String:
	return _player.get_id()


## Sets the player from now on, for example after a login. Earlier events keep their player. The id
## is not stored for the next start.
func set_player_id(player_id: String) -> void:
	if _check_start("set_player_id"):
		_player.given = player_id


## Number of events that wait or are being sent.
func get_queued_events() -> int:
	return _tracker.get_count()


## Number of events that were tracked here and will not be stored.
func get_dropped_events() -> int:
	return _tracker.dropped_events


## Number of scores, changes of statistics, unlocks and saves that wait for the network.
func get_queued_calls() -> int:
	return _kept.get_count()


## Tracks an event of the player. Returns at once: the event is kept, even over a restart, and sent
## together with others. [param properties] may be any JSON of up to 32 KB.
func track(event_name: String, properties: Dictionary = {}) -> void:
	if not _check_start("track"):
		_tracker.drop("not_started", [])
	elif _is_closed:
		_tracker.drop("closed", [])
	elif _transport.is_enabled:
		_tracker.track(event_name, properties)


## Merges properties into those of the player: each property replaces the stored one as a whole. The
## value is all properties of the player.
func identify(properties: Dictionary) -> OverworldResult:
	var json: String = OverworldJson.write(properties)
	if json == "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", "properties have no form in JSON"))
	var player_id: String = await _player.wait_for_id()
	var body: String = "{\"player_id\":%s,\"properties\":%s}" % [OverworldJson.write(player_id), json]
	await _turns.take()
	var path: String = "/v1/identify"
	var result: OverworldResult = await _transport.request(HTTPClient.METHOD_POST, path, "properties", body, {}, true, player_id)
	_turns.end()
	if not result.ok:
		return result
	var answer: Dictionary = result.value["body"]
	return OverworldResult.success(answer.get("properties", {}))


## Sends all waiting calls and events. Returns whether all were sent; the others are tried again later.
func flush() -> bool:
	if not _transport.is_enabled:
		return false
	var are_calls_sent: bool = _kept.get_count() == 0 or await _kept.flush()
	var are_events_sent: bool = await _tracker.sender.flush()
	return are_events_sent and are_calls_sent


## Ends the session, sends events for at most [param timeout_seconds], and stops. Unsent events stay
## on the device for the next start.
func close(timeout_seconds: float = 5.0) -> void:
	if _is_closed or not _is_started:
		return
	_is_closed = true
	if not _transport.is_enabled:
		return
	_tracker.end_session()
	var deadline: int = OverworldMoment.now() + int(timeout_seconds * 1000.0)
	@warning_ignore("missing_await")
	_tracker.sender.flush()
	while _tracker.get_count() > 0 and _tracker.sender.is_sending() and OverworldMoment.now() < deadline:
		await _frames.next()
	_tracker.sender.stop()


func _make_parts(base_url: String, api_key: String, options: Dictionary) -> void:
	var folder: String = options.get("folder", "user://")
	var first_api_key: String = options.get("first_api_key", api_key)
	var timeout_seconds: float = options.get("timeout_seconds", 10.0)
	var is_device_login: bool = options.get("device_login", true)
	var player_id: String = options.get("player_id", "")
	var interval_seconds: float = options.get("flush_interval_seconds", 5.0)
	var max_events: int = options.get("max_queued_events", 5000)
	# An autoload before this one calls while this node is not yet in the tree.
	var tree: SceneTree = Engine.get_main_loop()
	_storage = OverworldStorage.new(folder, api_key, first_api_key)
	# The storage may fail in the start, before the game listens.
	_storage.failed.connect(_on_storage_failed, CONNECT_DEFERRED | CONNECT_ONE_SHOT)
	_frames = OverworldFrames.new(tree)
	_transport = OverworldTransport.new(_frames, base_url, api_key, timeout_seconds)
	_logins = OverworldLogins.new(_transport, _storage, is_device_login)
	_logins.failed.connect(_on_failed)
	_logins.changed_elsewhere.connect(_on_changed_elsewhere)
	_transport.find_token = _logins.token_of
	_transport.renew_token = _logins.renew
	_player = OverworldPlayer.new(player_id, _logins)
	_kept = OverworldKeptCalls.new(_storage, _transport, _logins)
	_kept.failed.connect(_on_failed)
	_kept.find_player = _player.get_id
	var interval_ms: int = int(interval_seconds * 1000.0)
	_tracker = OverworldTracker.new(_storage, _transport, _logins, _player, interval_ms, max_events)
	_tracker.dropped.connect(_on_dropped)
	_tracker.sender.find_player = _player.get_id
	_tracker.sender.warned.connect(_on_warned)
	_tracker.sender.failed.connect(_on_failed)
	tags = OverworldTags.new(_transport, _player, _turns)
	saves = OverworldSaves.new(_transport, _player, _kept, options.get("on_save_conflict"))
	achievements = OverworldAchievements.new(_transport, _player, _kept)
	leaderboards = OverworldLeaderboards.new(_transport, _player, _kept)
	stats = OverworldStats.new(_transport, _player, _kept)
	messages = OverworldMessages.new(_transport, _player, _storage, _on_messages)
	config = OverworldConfig.new(_transport, _player, _storage)
	account = OverworldAccount.new(_transport, _player, _logins, _erase_player)


## Erases a player by [param run] while nothing else is sent of the player, and then drops what waits of the player.
func _erase_player(player_id: String, run: Callable) -> OverworldResult:
	# A call or an event that came after the erasure would make the player again.
	await _kept.pause()
	await _tracker.sender.flush()
	var result: OverworldResult = await run.call()
	if result.ok:
		_kept.forget(player_id)
		_tracker.forget(player_id)
		_storage.remove(OverworldConfig.FILE)
		_storage.remove(OverworldMessages.FILE)
	_kept.resume()
	return result


func _check_start(call_name: String) -> bool:
	if not _is_started:
		push_error("Overworld.%s: call Overworld.start first" % call_name)
	return _is_started


func _process(_delta: float) -> void:
	if not is_tracking_enabled():
		return
	_tracker.sender.tick()
	if _is_closed:
		return
	@warning_ignore("missing_await")
	_look_for_messages()
	await _kept.tick()


func _look_for_messages() -> void:
	# The clock may have been set back.
	var is_recent: bool = absi(OverworldMoment.now() - _looked_at) < LOOK_MS
	if is_recent or messages_received.get_connections().is_empty():
		return
	_looked_at = OverworldMoment.now()
	await messages.list()


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		_end()
		return
	if not is_tracking_enabled():
		return
	# A phone may end a game in the background without notice. A game may cancel a quit, so its session goes on.
	if what == NOTIFICATION_APPLICATION_PAUSED or what == NOTIFICATION_WM_CLOSE_REQUEST:
		@warning_ignore("missing_await")
		_tracker.sender.flush()


func _end() -> void:
	if is_tracking_enabled() and not _is_closed:
		_tracker.end_session()
	_transport.is_enabled = false
	_frames.end()


func _on_dropped(reason: String, count: int, events: Array, message: String, violations: Array) -> void:
	_transport.hints.say_dropped(reason, message, violations)
	events_dropped.emit(reason, count, events, message, violations)


func _on_warned(warnings: Array) -> void:
	_transport.hints.say_warnings(warnings)
	events_warned.emit(warnings)


func _on_failed(error: OverworldError) -> void:
	send_failed.emit(error)


func _on_messages(received: Array) -> void:
	messages_received.emit(received)


func _on_storage_failed(cause: String) -> void:
	var error: OverworldError = OverworldError.from_storage(cause)
	_transport.hints.say(error.message)
	send_failed.emit(error)


func _on_changed_elsewhere(player_id: String) -> void:
	other_player_logged_in.emit(player_id)
