class_name OverworldIds
extends RefCounted
## Internal. Makes ids and secrets.


## Random bytes in hexadecimal.
static func make(size: int = 16) -> String:
	return Crypto.new().generate_random_bytes(size).hex_encode()
