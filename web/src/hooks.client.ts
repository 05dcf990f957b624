// Returns the message that a page shows for an unexpected error, and logs every error except 404 (not found) to the
// console.
import type { HandleClientError } from '@sveltejs/kit';

export const handleError: HandleClientError = ({ error, status, message }) => {
  if (status !== 404) console.error(error);
  return { message };
};
