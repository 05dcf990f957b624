// Creates passkeys, and signs the server's challenges with a passkey (Web Authentication).
import { Problem } from '$lib/api/problem';

/** Returns whether this browser can create passkeys for a relying party. */
export const canUsePasskeys = (relyingParty: string | null): boolean =>
  relyingParty !== null && typeof PublicKeyCredential !== 'undefined' && location.hostname === relyingParty;

type Json = Record<string, unknown>;

/**
 * Passkey credential in the JSON form of Web Authentication. The generated API client does not describe its fields.
 */
type CredentialJson = Record<string, never>;

/** Decodes a base64url string to bytes. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

/** Encodes bytes as a base64url string without padding. */
export const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

/** Converts the credential identifiers in a list from base64url strings to bytes. */
const listOf = (list: unknown): unknown =>
  (Array.isArray(list) ? (list as Json[]) : []).map((one) => ({ ...one, id: bytesOf(String(one['id'])) }));

// Converts the base64url strings in the server's options for a new passkey to bytes. Older browsers have no function
// that converts options or credentials. Extensions need no conversion, because the page requests no extension with
// binary values.
function creationOptions(options: Json): PublicKeyCredentialCreationOptions {
  const user = options['user'] as Json;
  return {
    ...options,
    challenge: bytesOf(String(options['challenge'])),
    user: { ...user, id: bytesOf(String(user['id'])) },
    excludeCredentials: listOf(options['excludeCredentials'])
  } as unknown as PublicKeyCredentialCreationOptions;
}

function requestOptions(options: Json): PublicKeyCredentialRequestOptions {
  return {
    ...options,
    challenge: bytesOf(String(options['challenge'])),
    allowCredentials: listOf(options['allowCredentials'])
  } as unknown as PublicKeyCredentialRequestOptions;
}

/** Converts a passkey credential to the JSON form of Web Authentication. */
function jsonOf(credential: PublicKeyCredential): Json {
  const { response } = credential;
  const optional = (name: string, bytes: ArrayBuffer | null) => (bytes ? { [name]: textOf(bytes) } : {});
  const answer =
    response instanceof AuthenticatorAttestationResponse
      ? { attestationObject: textOf(response.attestationObject) }
      : {
          authenticatorData: textOf((response as AuthenticatorAssertionResponse).authenticatorData),
          signature: textOf((response as AuthenticatorAssertionResponse).signature),
          ...optional('userHandle', (response as AuthenticatorAssertionResponse).userHandle)
        };
  return {
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    extensions: {},
    response: { clientDataJSON: textOf(response.clientDataJSON), ...answer }
  };
}

/** Converts an error of the browser's passkey functions to a `Problem`. */
function problemOf(thrown: unknown): Problem {
  const name = thrown instanceof Error ? thrown.name : '';
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  if (name === 'InvalidStateError') return new Problem('passkey-known', detail, 409);
  if (name === 'NotAllowedError' || name === 'AbortError')
    return new Problem('passkey-cancelled', detail, 400);
  return new Problem('passkey-unusable', detail, 400);
}

async function answered(asked: Promise<Credential | null>): Promise<CredentialJson> {
  let credential: Credential | null;
  try {
    credential = await asked;
  } catch (thrown) {
    throw problemOf(thrown);
  }
  if (credential === null) throw new Problem('passkey-cancelled', 'no credential', 400);
  return jsonOf(credential as PublicKeyCredential) as CredentialJson;
}

/** Creates a passkey with the player's consent, and returns the new credential in JSON form. */
export const makePasskey = (options: Json): Promise<CredentialJson> =>
  answered(navigator.credentials.create({ publicKey: creationOptions(options) }));

/** Signs the server's challenge with a passkey that the player chooses. Returns the signed response in JSON form. */
export const usePasskey = (options: Json): Promise<CredentialJson> =>
  answered(navigator.credentials.get({ publicKey: requestOptions(options) }));
