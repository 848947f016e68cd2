class_name OverworldEventQueue
extends RefCounted
## Internal. The unsent events in order, in batches. The storage keeps each one as it comes.

@warning_ignore_start("return_value_discarded")

## Number of events that wait or are being sent.
var count: int = 0
var _storage: OverworldStorage
var _batches: Array[OverworldEventBatch] = []
var _next_number: int = 1


func _init(storage: OverworldStorage) -> void:
	_storage = storage


## Reads the events of earlier starts.
func open() -> void:
	for name: String in _storage.list(OverworldEventBatch.NAME_PREFIX):
		_load(name)


## Tells whether the first batch can be sent without waiting for more events. [param is_absent] tells whether
## the events of a player wait until this player logs in.
func has_full_batch(is_absent: Callable) -> bool:
	var first: OverworldEventBatch = find_first(is_absent)
	if first == null:
		return false
	for batch: OverworldEventBatch in _batches:
		if batch != first and not is_absent.call(batch.get_player_id()):
			return true
	return first.is_full()


## The oldest batch that can be sent now; null if there is none.
func find_first(is_absent: Callable) -> OverworldEventBatch:
	for batch: OverworldEventBatch in _batches:
		if not is_absent.call(batch.get_player_id()):
			return batch
	return null


## [param is_server_time] says whether its time is by the server's clock; otherwise it is corrected when
## it is first sent.
func add(json: String, player_id: String, is_server_time: bool) -> void:
	var has_room: bool = not _batches.is_empty() and _batches[-1].has_room_for(json)
	if not has_room or _batches[-1].get_player_id() != player_id:
		_batches.append(OverworldEventBatch.new(_next_number, 0, OverworldIds.make()))
		_next_number += 1
	var line: String = _batches[-1].add(json, is_server_time)
	count += 1
	_storage.append(_batches[-1].get_name(), line)


## Notes that a batch is about to be sent. The first time corrects its times, and fixes the content of
## the request.
func mark_sent(batch: OverworldEventBatch, at: int, clock_offset: int, max_events: int) -> void:
	if batch.first_sent_at != 0:
		return
	if batch.correct_times(clock_offset):
		_storage.write(batch.get_name(), batch.write())
	_storage.append(batch.get_name(), batch.mark_sent(at, max_events))


## Replaces a batch by its remaining events, to be sent under a new key.
func replace(batch: OverworldEventBatch, events: PackedStringArray) -> void:
	# The player of a batch on its way may have been erased.
	if events.is_empty() or not _batches.has(batch):
		_remove(batch)
		return
	var rest: OverworldEventBatch = OverworldEventBatch.new(batch.number, batch.revision + 1, OverworldIds.make())
	for json: String in events:
		rest.add(json, true)
	rest.is_sealed = true
	_batches[_batches.find(batch)] = rest
	count += events.size() - batch.events.size()
	# The new text is written before the old one is removed. The later revision counts.
	_storage.write(rest.get_name(), rest.write())
	_storage.remove(batch.get_name())


## Removes the oldest event that was never sent; others may be stored. Empty when there is none.
func drop_oldest() -> String:
	for batch: OverworldEventBatch in _batches:
		var unsent: PackedStringArray = batch.get_unsent()
		if unsent.is_empty():
			continue
		if batch.events.size() == 1:
			_remove(batch)
		else:
			count -= 1
			_storage.append(batch.get_name(), batch.drop_oldest_unsent())
		return unsent[0]
	return ""


## Removes all events of an erased player.
func forget(player_id: String) -> void:
	for batch: OverworldEventBatch in _batches.duplicate():
		if batch.get_player_id() == player_id:
			_remove(batch)


func _remove(batch: OverworldEventBatch) -> void:
	if not _batches.has(batch):
		return
	_batches.erase(batch)
	count -= batch.events.size()
	_storage.remove(batch.get_name())


func _load(name: String) -> void:
	var parts: PackedStringArray = name.trim_prefix(OverworldEventBatch.NAME_PREFIX).split("-")
	if parts.size() != 3:
		_storage.remove(name)
		return
	var batch: OverworldEventBatch = OverworldEventBatch.new(parts[0].to_int(), parts[1].to_int(), parts[2])
	_next_number = maxi(_next_number, batch.number + 1)
	var text: String = _storage.read(name)
	batch.read(text)
	if batch.events.is_empty():
		_storage.remove(name)
		return
	if not _batches.is_empty() and _batches[-1].number == batch.number:
		_remove(_batches[-1])
	# The next line must not continue a line that a crash has cut.
	if not text.ends_with("\n"):
		_storage.write(name, text.left(text.rfind("\n") + 1))
	_batches.append(batch)
	count += batch.events.size()
