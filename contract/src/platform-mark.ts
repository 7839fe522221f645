/**
 * Every response of the server has this header, with the server's version. A response without it comes from somebody
 * else: a portal, a proxy, a filter. The header tells them apart and proves nothing, because anyone can send it.
 */
export const platformHeader = 'Earshot-Server';
