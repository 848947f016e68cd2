class_name OverworldServerClock
extends RefCounted
## Internal. The time of the server, by the [code]Date[/code] headers of its answers.

## True if an answer has told the time.
var is_known: bool = false
# The offset lies between these two bounds.
var _least: int = 0
var _most: int = 0


## Milliseconds to add to this device's clock; 0 while that clock may be right.
func get_offset() -> int:
	if not is_known or (_least <= 0 and _most >= 0):
		return 0
	return floori((_least + _most) / 2.0)


## Reads the header, which has whole seconds.
func learn(date: String, sent_at: int, received_at: int) -> void:
	var moment: int = OverworldMoment.read_http_date(date)
	if moment < 0:
		return
	var low: int = moment - received_at
	var high: int = moment + 1000 - sent_at
	var is_changed: bool = not is_known or low > _most or high < _least
	_least = low if is_changed else maxi(_least, low)
	_most = high if is_changed else mini(_most, high)
	is_known = true
