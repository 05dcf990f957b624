// Collects the requests to the server's API, with one function for each request. Requests with a `client_id` are idempotent.
export * from './account';
export * from './conduct';
export * from './events';
export * from './lobby';
export * from './matches';
export * from './people';
export * from './playersettings';
export * from './study';
