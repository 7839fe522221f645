const longestTopic = 200;

/**
 * Levels of letters, digits, `_`, `-` and `.`, separated by `/`. So no text of a person is a wildcard (`+`, `#`), leads out of
 * the topics of the platform, or is a topic of the broker itself (`$SYS`).
 */
export const isTopic = (text: string): boolean => text.length <= longestTopic && /^[\w.-]+(?:\/[\w.-]+)*$/.test(text);
