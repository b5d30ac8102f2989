/**
 * The versions of the Docker Engine API (Apache-2.0; Debian's source of docker.io 28.5.2 holds
 * engine/docs/api/v1.25.yaml to v1.51.yaml), and what version-history.md beside them says was taken away,
 * written down from it alone. Changes that the history calls unversioned are not among them.
 */
export interface DockerBreak {
  /** The version in which it went. */
  version: number
  operation: string
  /** What its message or its place must name. */
  names: string
}

const gone = (version: number, operation: string, ...names: string[]): DockerBreak[] =>
  names.map((name) => ({ version, operation, names: name }))

export const DOCKER_BREAKS: readonly DockerBreak[] = [
  ...gone(41, 'GET /images/json', 'filter'),
  ...gone(42, 'GET /system/df', 'BuilderSize', 'Parent'),
  ...gone(42, 'POST /containers/create', 'KernelMemory'),
  ...gone(42, 'POST /containers/{id}/update', 'KernelMemory'),
  ...gone(44, 'GET /images/{name}/json', 'VirtualSize'),
  ...gone(44, 'GET /images/json', 'VirtualSize'),
  ...gone(44, 'GET /system/df', 'VirtualSize'),
  ...gone(45, 'GET /images/{name}/json', 'Container', 'ContainerConfig'),
  ...gone(48, 'POST /build/prune', 'keep-'),
  ...gone(
    49,
    'GET /info',
    'AllowNondistributableArtifactsCIDRs',
    'AllowNondistributableArtifactsHostnames',
    'Expected',
  ),
  ...gone(50, 'GET /info', 'BridgeNfIptables', 'BridgeNfIp6tables'),
  ...gone(
    50,
    'GET /images/{name}/json',
    'Hostname',
    'Domainname',
    'AttachStdin',
    'AttachStdout',
    'AttachStderr',
    'Tty',
    'OpenStdin',
    'StdinOnce',
    'Image',
    'NetworkDisabled',
    'MacAddress',
    'StopTimeout',
  ),
]
