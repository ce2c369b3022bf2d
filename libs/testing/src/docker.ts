/** Everything a container needs to stand in for a part. */
export interface Image {
  readonly image: string;
  readonly port: number;
  readonly environment?: Record<string, string>;
  readonly command?: string[];
}

/**
 * Starts a container and returns where its port is reached; null when no Docker engine responds.
 * testcontainers is imported only here: it takes a second to load, and most machines that run tests have no
 * engine. Errors: testcontainers' own, when the engine responds but the image cannot be had.
 */
export async function startContainer(
  image: Image,
): Promise<{ host: string; port: number; stop: () => Promise<void> } | null> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
  } catch {
    return null;
  }
  const container = await new GenericContainer(image.image)
    .withEnvironment(image.environment ?? {})
    .withCommand(image.command ?? [])
    .withExposedPorts(image.port)
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  return {
    host: container.getHost(),
    port: container.getMappedPort(image.port),
    stop: async () => {
      await container.stop();
    },
  };
}
