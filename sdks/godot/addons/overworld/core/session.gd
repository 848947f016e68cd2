class_name OverworldSession
extends RefCounted
## Internal. A session is play without a pause of half an hour, across restarts, by the clock of the
## device.

signal tracked(event_name: String, session_id: String, at: int, properties: Dictionary)

const FILE: String = "session"
const MAX_PAUSE_MS: int = 30 * 60 * 1000
const WRITE_INTERVAL_MS: int = 1000

## Empty between two sessions.
var id: String = ""
var _storage: OverworldStorage
var _started_at: int = 0
var _last_at: int = 0
var _written_at: int = 0


func _init(storage: OverworldStorage) -> void:
	_storage = storage


## Reads the session of an earlier start.
func open() -> void:
	var kept: Dictionary = OverworldJson.read_object(_storage.read(FILE))
	if not kept.has_all(["id", "started_at", "last_at"]):
		return
	id = kept["id"]
	_started_at = kept["started_at"]
	_last_at = kept["last_at"]


## Continues the session, or ends it after a long pause and starts a new one.
func touch(now: int) -> void:
	if id != "" and now - _last_at > MAX_PAUSE_MS:
		end(_last_at)
	var is_new: bool = id == ""
	if is_new:
		id = OverworldIds.make()
		_started_at = now
	_last_at = now
	if is_new or now - _written_at >= WRITE_INTERVAL_MS:
		_written_at = now
		var session: Dictionary = {"id": id, "started_at": _started_at, "last_at": _last_at}
		@warning_ignore("return_value_discarded")
		_storage.write(FILE, OverworldJson.write(session))
	if is_new:
		tracked.emit("session_start", id, now, _describe_start())


func end(at: int) -> void:
	if id == "":
		return
	var ended_id: String = id
	# A kill between the two may lose the event, but never stores it twice.
	forget()
	tracked.emit("session_end", ended_id, at, {"duration_ms": maxi(0, at - _started_at)})


## Ends the session without an event.
func forget() -> void:
	id = ""
	_storage.remove(FILE)


static func _describe_start() -> Dictionary:
	var properties: Dictionary = {"platform": OS.get_name().to_lower()}
	var version: String = ProjectSettings.get_setting("application/config/version", "")
	if version != "":
		properties["app_version"] = version
	return properties
