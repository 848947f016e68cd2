class_name OverworldPlayerSessions
extends RefCounted
## Internal. The sessions of players on this device: answers to logins, with is_device (then also with
## device_id and secret, until they are renewed), and without refresh_token after their end. The storage has
## the session of the next start's player under login, and those of other players beside it: other clients
## still play as them, or calls of theirs wait.

@warning_ignore_start("return_value_discarded")

const NEXT_FILE: String = "login"

## The player who has logged in with this client; empty without a login.
var own_id: String = ""
var _storage: OverworldStorage
# The sessions that this client has read, by player; empty for a player without one.
var _known: Dictionary = {}


func _init(storage: OverworldStorage) -> void:
	_storage = storage


func open() -> void:
	var kept: Dictionary = _read_next()
	own_id = kept.get("player_id", "")
	if own_id != "":
		_known[own_id] = kept


## The session of this client; empty without one.
func get_own() -> Dictionary:
	return find(own_id)


## The player of the next start, as other clients may have changed it; empty if it is the anonymous player.
func get_next_id() -> String:
	return _read_next().get("player_id", "")


func is_known(player_id: String) -> bool:
	return _known.has(player_id)


func find(player_id: String) -> Dictionary:
	return _known.get(player_id, {})


func find_token(player_id: String) -> String:
	return find(player_id).get("player_token", "")


## Takes the stored session if it is newer: another client may have renewed it, and an earlier refresh token
## would then end it.
func reread(player_id: String) -> Dictionary:
	var before: Dictionary = find(player_id)
	var stored: Dictionary = _read_next()
	if stored.get("player_id", "") != player_id:
		stored = OverworldJson.read_object(_storage.read(_name_of(player_id)))
	if stored.get("player_id", "") == player_id and get_expiry(stored) >= get_expiry(before):
		_known[player_id] = stored
	else:
		_known[player_id] = before
	return find(player_id)


## The end of the token, in milliseconds; 0 without a session.
static func get_expiry(session: Dictionary) -> int:
	var text: String = session.get("expires_at", "")
	return 0 if text == "" else OverworldMoment.read(text)


## Stores a session. [param replaced] is the player whom this one replaces as the player of the next start;
## empty for none. [param is_chosen] says that the game has chosen this player for itself and for the next
## start.
func keep(session: Dictionary, replaced: String, is_chosen: bool) -> void:
	var id: String = session["player_id"]
	_known[id] = session
	var next: Dictionary = _read_next()
	var next_id: String = next.get("player_id", "")
	var is_device: bool = session["is_device"]
	var is_next: bool = is_chosen or next_id == id
	if next_id == "":
		is_next = is_chosen or is_device
	elif next_id == replaced:
		is_next = true
	if is_chosen and next_id != "" and next_id != id:
		_storage.write(_name_of(next_id), OverworldJson.write(next))
	var has_ended: bool = not session.has("refresh_token")
	if is_next:
		_storage.write(NEXT_FILE, OverworldJson.write(session))
	elif not has_ended:
		_storage.write(_name_of(id), OverworldJson.write(session))
	if is_next or has_ended:
		_storage.remove(_name_of(id))
	if is_chosen or (replaced != "" and own_id == ""):
		own_id = id


## Ends the session of this client. Its token is valid for up to an hour: with it, the calls and events that
## still wait are sent. Returns the refresh token; empty if there was none.
func leave() -> String:
	var id: String = own_id
	var last: Dictionary = get_own()
	own_id = ""
	if last.is_empty():
		return ""
	var ended: Dictionary = last.duplicate()
	ended.erase("refresh_token")
	_known[id] = ended
	if get_next_id() == id:
		_storage.remove(NEXT_FILE)
	_storage.remove(_name_of(id))
	return last.get("refresh_token", "")


## Removes the session of an erased player.
func forget(player_id: String) -> void:
	if own_id == player_id:
		leave()
	_known[player_id] = {}


func _read_next() -> Dictionary:
	return OverworldJson.read_object(_storage.read(NEXT_FILE))


static func _name_of(player_id: String) -> String:
	return "%s-%s" % [NEXT_FILE, player_id.sha256_text().left(16)]
