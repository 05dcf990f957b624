// Handles errors of a page: returns the message for the viewer, and logs every error except 404 to the console.
import type { HandleClientError } from '@sveltejs/kit';

export const handleError: HandleClientError = ({ error, status, message }) => {
  if (status !== 404) console.error(error);
  return { message };
};
