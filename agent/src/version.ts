/** The version of this agent, as it is registered with the platform. */
export const version = '0.1.0';
