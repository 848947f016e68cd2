class_name OverworldKeptCalls
extends RefCounted
## Internal. Scores, statistics, unlocks and saves. Each call is in the storage before it is sent, calls of a kind
## are sent in their order, and calls that do not reach the server are sent later, also after a restart.
## To make a call twice has the effect of making it once. A call is sent as the player who made it, and
## waits for the login of this player if the server asks for one.

## A call that nobody waits for was refused or given up.
signal failed(error: OverworldError)

const SCORES: String = "scores"
const STATS: String = "stats"
const UNLOCKS: String = "unlocks"
const SAVES: String = "saves"
const KINDS: Array = ["scores", "stats", "unlocks", "saves"]
const NAME_PREFIX: String = "call-"
const MAX_CALLS: int = 200
const LONGEST_BACKOFF_SECONDS: float = 60.0
## Limits of all calls end within a minute. If a call is refused for longer, the limit is about its board or
## player.
const LONGEST_COMMON_LIMIT_SECONDS: float = 60.0

## Gives the id of the present player.
var find_player: Callable
var _storage: OverworldStorage
var _transport: OverworldTransport
var _logins: OverworldLogins
var _calls: Array[OverworldKeptCall] = []
var _turns: Dictionary = {}
var _makers: Dictionary = {}
var _next_number: int = 1
var _failures: int = 0
var _retry_at: int = 0
var _is_retrying: bool = false


func _init(storage: OverworldStorage, transport: OverworldTransport, logins: OverworldLogins) -> void:
	_storage = storage
	_transport = transport
	_logins = logins
	for kind: String in KINDS:
		_turns[kind] = OverworldTurns.new()


## Reads the calls of earlier starts.
func open() -> void:
	for name: String in _storage.list(NAME_PREFIX):
		_next_number = maxi(_next_number, name.trim_prefix(NAME_PREFIX).to_int() + 1)
		var members: Dictionary = OverworldJson.read_object(_storage.read(name))
		if not members.has_all(["kind", "player_id", "target"]) or not KINDS.has(members["kind"]):
			_storage.remove(name)
			continue
		var kept: OverworldKeptCall = OverworldKeptCall.new(members)
		kept.name = name
		kept.is_stored = true
		_calls.append(kept)


func get_count() -> int:
	return _calls.size()


## Says how calls of a kind are made: a function that gets a call and gives an OverworldResult.
func serve(kind: String, maker: Callable) -> void:
	_makers[kind] = maker


## Keeps a call, and makes it after the earlier ones of its kind. An error with [code]is_kept[/code]
## means that the call is in the storage and will be sent later. Without it the call is forgotten.
func make(members: Dictionary, given: Dictionary = {}) -> OverworldResult:
	var refusal: OverworldResult = _transport.find_refusal()
	if refusal != null:
		return refusal
	var kept: OverworldKeptCall = OverworldKeptCall.new(members)
	var json: String = OverworldJson.write(members)
	if json == "":
		return OverworldResult.failure(OverworldError.make("invalid_argument", "the call has no form in JSON"))
	kept.name = "%s%015d" % [NAME_PREFIX, _next_number]
	_next_number += 1
	kept.given = given
	kept.is_awaited = true
	kept.is_seen = true
	_calls.append(kept)
	kept.is_stored = _storage.write(kept.name, json)
	# The storage always has one of both, also on a full disk.
	if kept.is_stored:
		_replace(kept)
	if _calls.size() > MAX_CALLS:
		var full: OverworldError = OverworldError.make("queue_full", "More than %d calls wait" % MAX_CALLS)
		var needless: Array = _calls.filter(_is_needless)
		var dropped: OverworldKeptCall = _calls[0] if needless.is_empty() else needless[0]
		dropped.result = OverworldResult.failure(full)
		remove(dropped)
		failed.emit(full)
	var turns: OverworldTurns = _turns[members["kind"]]
	await turns.take()
	var result: OverworldResult = await _send_up_to(kept)
	turns.end()
	return result


## Waits for the turn of a kind, and sends its calls that wait. Call [method leave] afterwards.
func enter(kind: String) -> void:
	var turns: OverworldTurns = _turns[kind]
	await turns.take()
	# A call that a caller waits for was made later, and is sent in its own turn.
	var last: OverworldKeptCall = null
	for kept: OverworldKeptCall in _calls:
		if kept.members["kind"] == kind and not kept.is_awaited:
			last = kept
	if last != null:
		await _send_up_to(last)


func leave(kind: String) -> void:
	var turns: OverworldTurns = _turns[kind]
	turns.end()


## The last call that waits for the player and the target; null if there is none.
func find(kind: String, player_id: String, target: String) -> OverworldKeptCall:
	var found: OverworldKeptCall = null
	for kept: OverworldKeptCall in _calls:
		if kept.is_like(kind, player_id, target):
			found = kept
	return found


func remove(kept: OverworldKeptCall) -> void:
	_calls.erase(kept)
	_storage.remove(kept.name)


## Waits until no call is on its way. None is sent until [method resume].
func pause() -> void:
	for kind: String in KINDS:
		var turns: OverworldTurns = _turns[kind]
		await turns.take()


func resume() -> void:
	for kind: String in KINDS:
		leave(kind)


## Removes all calls of an erased player.
func forget(player_id: String) -> void:
	for kept: OverworldKeptCall in _calls.duplicate():
		if kept.members["player_id"] == player_id:
			kept.result = OverworldResult.failure(OverworldError.make("not_found", "Player not found"))
			remove(kept)


## Sends all calls. Returns whether no call waits any more.
func flush() -> bool:
	for kind: String in KINDS:
		await enter(kind)
		leave(kind)
	return _calls.is_empty()


## Sends the calls again when it is time.
func tick() -> void:
	# Both times are rounded down.
	if _calls.is_empty() or _is_retrying or OverworldMoment.now() <= _retry_at or _is_any_awaited():
		return
	_is_retrying = true
	await flush()
	_is_retrying = false


func _is_any_awaited() -> bool:
	for kept: OverworldKeptCall in _calls:
		if kept.is_awaited:
			return true
	return false


func _send_up_to(last: OverworldKeptCall) -> OverworldResult:
	var kind: String = last.members["kind"]
	# The refusals that are only about one board, by the key of its calls.
	var refusals: Dictionary = {}
	for kept: OverworldKeptCall in _calls.slice(0, _calls.find(last) + 1):
		if last.is_awaited and not _calls.has(last):
			break
		var player_id: String = kept.members["player_id"]
		var is_of_other: bool = not (kept == last and last.is_awaited) and player_id != find_player.call()
		if kept.members["kind"] != kind or not _calls.has(kept) or (is_of_other and _logins.absent.has(player_id)):
			continue
		var maker: Callable = _makers[kind]
		var result: OverworldResult = refusals.get(kept.get_key())
		if result == null:
			result = await maker.call(kept)
		if is_of_other and not result.ok and result.error.lacks_login():
			_logins.absent[player_id] = true
			failed.emit(result.error)
			continue
		if not result.ok and result.error.may_pass_later():
			var is_of_board: bool = _is_of_board(result.error)
			_put_off(result.error, is_of_board)
			if not is_of_board or kept == last:
				return _keep(last, result.error)
			refusals[kept.get_key()] = result
			continue
		_failures = 0
		kept.result = result
		if not result.ok and not kept.is_awaited:
			failed.emit(result.error)
		if result.ok and kind == SCORES:
			var submitted: Dictionary = result.value
			if not submitted.has("keeps"):
				_remove_needless(kept.get_key())
		remove(kept)
		if kept == last:
			break
	return last.result


static func _is_of_board(error: OverworldError) -> bool:
	return error.code == "rate_limited" and error.retry_after_seconds > LONGEST_COMMON_LIMIT_SECONDS


func _put_off(error: OverworldError, is_of_board: bool) -> void:
	# The wait for one board does not put off the other calls.
	if is_of_board and OverworldMoment.now() < _retry_at:
		return
	_failures += 1
	# The call itself has been tried several times.
	var tries: int = _failures + OverworldTransport.MAX_ATTEMPTS
	var seconds: float = OverworldBackoff.seconds_after(tries, error.retry_after_seconds, LONGEST_BACKOFF_SECONDS)
	_retry_at = OverworldMoment.now() + int(seconds * 1000.0)


## Keeps a call that was not sent, or forgets it if the storage has not taken it. Returns its failure.
func _keep(last: OverworldKeptCall, error: OverworldError) -> OverworldResult:
	last.is_awaited = false
	error.is_kept = last.is_stored
	if last.is_stored:
		return OverworldResult.failure(error)
	remove(last)
	return OverworldResult.failure(OverworldError.from_storage(error.message))


## A later call replaces waiting calls. But some boards count each score, and a save of an earlier start that the
## game has not seen is sent first.
func _replace(next: OverworldKeptCall) -> void:
	var kind: String = next.members["kind"]
	for kept: OverworldKeptCall in _calls.duplicate():
		var is_like_next: bool = kept.members["kind"] == kind and kept.get_key() == next.get_key()
		var is_needed: bool = kind == SCORES or kept.is_awaited or (kind == SAVES and not kept.is_seen)
		if is_like_next and not is_needed:
			remove(kept)


## Removes the needless scores of a board that keeps the best.
func _remove_needless(key: String) -> void:
	for kept: OverworldKeptCall in _calls.filter(_is_needless):
		if kept.get_key() == key:
			remove(kept)


## Tells whether a waiting score is needless if its board keeps the best one: the highest or the lowest, of which
## tie values decide among several.
func _is_needless(waiting: OverworldKeptCall) -> bool:
	if waiting.members["kind"] != SCORES or waiting.is_awaited:
		return false
	var score: float = waiting.get_score()
	var scores: Array[float] = []
	var place: int = 0
	for kept: OverworldKeptCall in _calls:
		if kept.members["kind"] == SCORES and kept.get_key() == waiting.get_key():
			if kept == waiting:
				place = scores.size()
			scores.append(kept.get_score())
	var is_best: bool = score == scores.min() or score == scores.max()
	return not is_best or not (waiting.members.has("tie_value") or place == scores.find(score))
