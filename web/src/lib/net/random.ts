// Makes random ids. The function `crypto.randomUUID` is missing at insecure addresses, such as that of a server in a home
// network.

/** Returns a random id of 128 bits in hexadecimal digits. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    ''
  );
