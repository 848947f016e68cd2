class_name OverworldMoment
extends RefCounted
## Internal. Times in milliseconds since 1970, and their texts.

const MONTHS: String = "JanFebMarAprMayJunJulAugSepOctNovDec"

## Tests put the clock of the device forward or back by this.
static var skew_ms: int = 0


static func now() -> int:
	return int(Time.get_unix_time_from_system() * 1000.0) + skew_ms


## As the API writes it: [code]YYYY-MM-DDTHH:mm:ss.sssZ[/code].
static func write(milliseconds: int) -> String:
	var seconds: int = floori(milliseconds / 1000.0)
	return Time.get_datetime_string_from_unix_time(seconds) + ".%03dZ" % (milliseconds - seconds * 1000)


## A time as the API writes it; 0 if the text is no such time.
static func read(text: String) -> int:
	if text.length() < 20:
		return 0
	var seconds: int = Time.get_unix_time_from_datetime_string(text.left(19))
	var fraction: String = text.substr(20, 3) if text.length() > 20 else "0"
	return seconds * 1000 + fraction.to_int()


## A [code]Date[/code] header, such as [code]Sat, 21 Nov 2026 08:17:37 GMT[/code]; -1 when the text is
## no such header.
static func read_http_date(text: String) -> int:
	var parts: PackedStringArray = text.split(" ", false)
	if parts.size() < 5:
		return -1
	var month: int = MONTHS.find(parts[2])
	if month < 0:
		return -1
	var date: String = "%s-%02d-%sT%s" % [parts[3], floori(month / 3.0) + 1, parts[1].lpad(2, "0"), parts[4]]
	return Time.get_unix_time_from_datetime_string(date) * 1000
