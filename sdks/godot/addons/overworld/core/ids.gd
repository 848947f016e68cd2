extends RefCounted


## 128 random bits in hexadecimal.
static func make() -> String:
	return Crypto.new().generate_random_bytes(16).hex_encode()
