class_name OverworldEventBatch
extends RefCounted
## Internal. A batch: events that are sent in one request. The storage keeps it as one text, a line
## each.

@warning_ignore_start("return_value_discarded")

const NAME_PREFIX: String = "queue-"
const MAX_EVENTS: int = 100
## A closing page in a browser can send this much; the limits of proxies are far higher.
const MAX_BYTES: int = 56000
## Begins the line with the number of events that were sent, and the time of the first try.
const SENT_MARK: String = "@"
## Begins the line that drops the oldest event that was never sent.
const DROP_MARK: String = "-"
## Begins the line of an event whose time follows the clock of the device.
const DEVICE_TIME_MARK: String = "~"

## Place in the queue; the oldest has the lowest.
var number: int
## Number of times that its remaining events were put under a new key.
var revision: int
## The Idempotency-Key, which belongs to exactly the events that were sent with it.
var key: String
## The events, as JSON.
var events: PackedStringArray = PackedStringArray()
## No further event is added.
var is_sealed: bool = false
## The time of the first sending, by the server's clock as far as it was known; 0 before it is sent.
var first_sent_at: int = 0
# Number of events from the first on that were sent, and may be stored.
var _sent_count: int = 0
# Number of events from the first on whose time follows the clock of the device.
var _device_time_count: int = 0
var _bytes: int = 0
var _player_id: String = ""


func _init(place: int, batch_revision: int, batch_key: String) -> void:
	number = place
	revision = batch_revision
	key = batch_key


func get_name() -> String:
	return "%s%015d-%04d-%s" % [NAME_PREFIX, number, revision, key]


## The events of the request, fixed once it is sent.
func get_sent() -> PackedStringArray:
	return events.slice(0, _sent_count)


## The events after those of the request.
func get_unsent() -> PackedStringArray:
	return events.slice(_sent_count)


## The player of its events: a request carries the token of one player.
func get_player_id() -> String:
	if _player_id == "":
		_player_id = OverworldJson.read_object(events[0]).get("player_id", "")
	return _player_id


func get_body() -> String:
	return "[" + ",".join(get_sent()) + "]"


func is_full() -> bool:
	return events.size() >= MAX_EVENTS


func has_room_for(json: String) -> bool:
	return not is_sealed and not is_full() and _bytes + json.to_utf8_buffer().size() <= MAX_BYTES


## Adds an event. Returns its line for the storage.
func add(json: String, is_server_time: bool) -> String:
	events.append(json)
	_bytes += json.to_utf8_buffer().size()
	if is_server_time:
		return json + "\n"
	_device_time_count = events.size()
	return DEVICE_TIME_MARK + json + "\n"


## Notes the first sending of at most [param max_events] of its events. Returns the line to be kept for
## that.
func mark_sent(at: int, max_events: int) -> String:
	first_sent_at = at
	_sent_count = mini(max_events, events.size())
	return "%s%d %d\n" % [SENT_MARK, _sent_count, first_sent_at]


## Removes the oldest event that was never sent. Returns the line for the storage.
func drop_oldest_unsent() -> String:
	_bytes -= events[_sent_count].to_utf8_buffer().size()
	events.remove_at(_sent_count)
	if _device_time_count > _sent_count:
		_device_time_count -= 1
	return DROP_MARK + "\n"


## Corrects the times of a batch that was never sent. Returns whether a time changed.
func correct_times(offset: int) -> bool:
	if first_sent_at != 0 or offset == 0 or _device_time_count == 0:
		return false
	for i: int in range(_device_time_count):
		var event: Dictionary = OverworldJson.read_object(events[i])
		var written_at: String = event["client_timestamp"]
		event["client_timestamp"] = OverworldMoment.write(OverworldMoment.read(written_at) + offset)
		events[i] = OverworldJson.write(event)
	_device_time_count = 0
	return true


## Its text in the storage.
func write() -> String:
	return "\n".join(events) + "\n"


## Reads its text in the storage. The last line counts only if it is complete.
func read(text: String) -> void:
	is_sealed = true
	var end: int = text.rfind("\n")
	if end < 0:
		return
	for line: String in text.left(end).split("\n", false):
		if line.begins_with(SENT_MARK):
			var count_and_time: PackedStringArray = line.substr(1).split(" ")
			_sent_count = count_and_time[0].to_int()
			first_sent_at = count_and_time[1].to_int()
		elif line.begins_with(DROP_MARK):
			drop_oldest_unsent()
		elif line.begins_with(DEVICE_TIME_MARK):
			add(line.substr(1), false)
		else:
			add(line, true)
