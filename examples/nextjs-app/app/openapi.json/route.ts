export { GET, HEAD } from '../../sandbox'
